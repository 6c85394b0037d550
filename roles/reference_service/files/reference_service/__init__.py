# SPDX-License-Identifier: GPL-3.0-or-later
"""The management API of the description as a running service, for demos and tests on the loopback interface."""
