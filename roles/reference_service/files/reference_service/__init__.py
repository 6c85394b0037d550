# SPDX-License-Identifier: GPL-3.0-or-later
"""A local implementation of the management API on the loopback interface, for demos and tests."""
