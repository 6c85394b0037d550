#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
module: report
short_description: Write a report on one or more accounts
version_added: 1.0.0
author: edgeops.ingress contributors (@edgeops)
description:
  - Writes one file about one or more accounts, from the results of other tasks. It shows the edges, routes, and
    tunnels, who gets through each of them, the findings and how to fix them, and what a plan changes.
  - With O(format=html), the file is a page that loads nothing and sends nothing. It can be opened from disk, searched,
    filtered, and printed.
  - An account that was not read is shown as such at the top of the page, never as an account without findings.
  - Secrets and the values of headers are not part of the report. In messages, the value of a header is masked if it has
    at least eight characters. Shorter ones are words that occur elsewhere.
  - Strings that come from the service are shown as text, and invisible characters in them as escape sequences.
  - The task is changed if anything but the time at which the accounts were read differs. If only the time differs, the
    file is written all the same.
options:
  accounts:
    description:
      - The accounts, each with the results of other tasks. All suboptions except O(accounts[].name) can be omitted.
      - At least one of O(accounts), O(merge), and O(expected_accounts) is required.
    type: list
    elements: dict
    suboptions:
      name:
        description: The name of the account in the report.
        type: str
        required: true
      estate:
        description:
          - The configuration, which is the result of M(edgeops.ingress.estate_info), or only
            RV(edgeops.ingress.estate_info#module:estate).
          - If O(accounts[].exposure) is omitted, the report judges this configuration.
          - Only the whole result says which TLS edges may not exist, which are not judged then.
        type: dict
      exposure:
        description: The result of M(edgeops.ingress.exposure_info).
        type: dict
      plan:
        description:
          - The result of M(edgeops.ingress.estate), in check mode or not.
          - The report shows who gets through before and after each change, and what the plan leaves undeclared.
        type: dict
      tunnels:
        description: The online tunnels, as in RV(edgeops.ingress.tunnel_info#module:tunnels).
        type: list
        elements: dict
      objects:
        description:
          - The objects that routes refer to, such as backends and IP policies, as in
            RV(edgeops.ingress.object_info#module:objects). Join the lists of several collections with C(+).
          - The report shows the C(name) or the C(description) of an object instead of its C(id), and contains nothing
            else of it.
          - Objects that are declared in O(accounts[].estate), or that O(accounts[].plan) returns, need not be
            listed. If they have neither, the report shows their name in the declaration.
        type: list
        elements: dict
      collected_at:
        description:
          - When the account was read, such as V(2026-01-31T12:00:00Z). The report shows it as it is.
          - If omitted, the earliest C(collected_at) in O(accounts[].estate) and O(accounts[].exposure), if these are
            whole results.
          - If parts of an account with different values are merged, the report shows the first of them in alphabetical
            order, which is the earliest if all of them have this format.
        type: str
      declaration:
        description:
          - The path of the file that declares the account, relative to O(repository).
          - With O(format=sarif), each result has this file as its place, and the first line with a hostport of its
            edge. If there is no such line or no such file, the line is the first one.
        type: str
      error:
        description:
          - Why the account could not be read, or only in part. The report shows this at the top.
          - An empty string counts as no error.
        type: str
  expected_accounts:
    description:
      - The names of all accounts that should be part of the report. An account without any data is shown as missing.
    type: list
    elements: str
  owner_field:
    description:
      - The path of a field in the metadata of edges, such as V(team) or V(contact.team), if these are JSON.
      - Its value is the owner of the edge, whom each finding of the edge and of its routes names in all formats.
      - The page can be filtered by owner, and also shows the owners of edges and of planned changes.
    type: str
  owners:
    description: The owners of edges whose metadata name none. The first entry that matches a host of the edge counts.
    type: list
    elements: dict
    suboptions:
      hosts:
        description: A host name, or a pattern such as V(*.shop.example.com), in which V(*) matches any characters.
        type: str
        required: true
      owner:
        description: The name of the owner.
        type: str
        required: true
  merge:
    description:
      - The paths of reports that were written with O(format=json). Their accounts become part of this report, so that
        several jobs can each collect some of the accounts.
      - The order of the paths is ignored. Reports can contain different parts of the same account, such as its estate
        and its plan. If two of them contain the same part with different content, the task fails.
      - What a report has judged itself, because O(accounts[].exposure) was omitted, is not such a part. This report
        judges all that the others contain of the account, unless one of them contains an exposure that was given.
    type: list
    elements: path
  repository:
    description:
      - The directory that paths in O(accounts[].declaration) start at. Platforms for code expect the root of the
        repository.
      - If omitted, the directory of the playbook.
    type: path
  previous:
    description:
      - The path of an earlier report that was written with O(format=json). The report then begins with what has
        changed, which are findings and routes that are new or gone. V(sarif) contains a C(baselineState).
      - Findings are compared without IDs and without those that are accepted. Nothing counts as gone from an account
        that could not be read, or only in part, and nothing as new in one that could not be read then.
      - Nothing counts as gone either if nobody has read and judged it again, such as an account that is not part of
        this report, tunnels that it omits, a TLS edge that was not named, or a requirement that nobody has demanded.
      - If the file does not exist, as in the first run, nothing is compared, and there is a warning.
    type: path
  fail_on_new:
    description:
      - The task fails if there are findings of this severity or a higher one that O(previous) does not contain, or if
        an account could not be read. The report is written all the same.
    type: str
    choices: [high, medium, low]
  format:
    description:
      - The format of the file.
      - V(html) is a page for people.
      - V(markdown) is shortened to 60000 characters, for a pull request or a wiki.
      - V(json) contains everything, for O(merge) and for programs. The C(summary) of an exposure that the report has
        judged itself contains C(judged_by=report).
      - V(junit) contains each object that was judged as a test, which fails if the object has findings that are not
        accepted. An account that was not read is a failure as well.
      - V(sarif) contains the findings in SARIF 2.1.0, at most 25000 of them, the most severe ones.
    type: str
    choices: [html, markdown, json, junit, sarif]
    default: html
  title:
    description: The title of the report. It is not part of V(json).
    type: str
    default: Ingress report
  dest:
    description:
      - The path of the file on the control node. Its directory must exist.
      - The file is replaced as a whole, so it never contains only a part of a report. It keeps its permissions.
    type: path
    required: true
notes:
  - The module runs on the control node, without a connection to a host or to the service. If a play runs for several
    hosts, each of which is an account, use C(run_once).
  - Relative paths start at the directory of the playbook, except for those in O(accounts[].declaration).
  - The module does not belong to the action group C(edgeops.ingress.all), because it has no connection options.
attributes:
  check_mode:
    description: Predicts changes in check mode, without making them.
    support: full
  diff_mode:
    description: Shows in diff mode what is changed.
    support: partial
    details: The diff shows the size and the digest of the file before and after.
  idempotent:
    description: Changes nothing if it runs again with the same options.
    support: full
  action:
    description: Runs on the control node, as an action plugin.
    support: full
  platform:
    description: The operating systems on which it runs.
    support: full
    platforms: posix
seealso:
  - module: edgeops.ingress.exposure_info
  - module: edgeops.ingress.estate
  - module: edgeops.ingress.estate_info
"""

EXAMPLES = r"""
- name: Read the account
  edgeops.ingress.estate_info:
  register: live

- name: List the tunnels
  edgeops.ingress.tunnel_info:
  register: online

- name: Write a page that shows who gets in
  edgeops.ingress.report:
    dest: "{{ playbook_dir }}/ingress.html"
    accounts:
      - name: shop
        estate: "{{ live }}"
        tunnels: "{{ online.tunnels }}"

- name: Plan the configuration of the shop
  edgeops.ingress.estate:
    https_edges:
      - hostports:
          - shop.example.com:443
        description: The shop
  check_mode: true
  register: planned

- name: Write a page that shows what the plan changes
  edgeops.ingress.report:
    dest: "{{ playbook_dir }}/change.html"
    title: Change of the shop
    accounts:
      - name: shop
        estate: "{{ live }}"
        plan: "{{ planned }}"

- name: Write the accounts of this job as JSON, and merge the reports of all jobs later
  edgeops.ingress.report:
    dest: "{{ playbook_dir }}/part.json"
    format: json
    accounts:
      - name: shop
        estate: "{{ live }}"

- name: Merge the reports of several jobs, and show which accounts are missing
  edgeops.ingress.report:
    dest: "{{ playbook_dir }}/all.html"
    merge:
      - "{{ playbook_dir }}/part.json"
    expected_accounts:
      - shop
      - warehouse
"""

RETURN = r"""
dest:
  description: The path of the file.
  returned: success
  type: str
  sample: /home/ingress/ingress.html
format:
  description: The format of the file.
  returned: success
  type: str
missing_accounts:
  description: The names in O(expected_accounts) for which the report has no data.
  returned: success
  type: list
  elements: str
incomplete_accounts:
  description: The names of the accounts that could not be read, or only in part.
  returned: success
  type: list
  elements: str
summary:
  description:
    - The totals of the report, which are numbers of objects. C(accounts) includes missing ones, and C(read) counts
      those with an estate or an exposure.
    - C(access) contains the number of routes for each value of C(access). A route can require several checks.
      C(not_judged) counts the routes that were not judged.
    - C(findings) contains the number of findings that are not accepted, by severity, C(accepted) that of the others,
      and C(created) that of findings that the plans would create, if they are plans with
      O(edgeops.ingress.estate#module:reject_findings).
    - C(changes) contains the number of changes in the plans, by action.
    - C(since) contains what has changed since O(previous), if it is set, as the numbers of C(new) findings by severity,
      of those that are C(gone), and of C(new_routes) and C(gone_routes).
  returned: success
  type: dict
option_errors:
  description: All option errors, each with the path of the option.
  returned: when the options are invalid
  type: list
  elements: str
"""
