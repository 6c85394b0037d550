# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything for which the service rejects a request: the codes in its error responses.

Only the rejection of an operation that does not exist has no code. This file imports nothing outside the standard
library, so that the tests of a client can list the codes.
"""

import enum


class Code(str, enum.Enum):
    # The sender, and the request as a whole
    API_KEY = "ERR_API_KEY"
    API_VERSION = "ERR_API_VERSION"
    BODY_TOO_LARGE = "ERR_BODY_TOO_LARGE"
    EDGES_OFF = "ERR_EDGES_OFF"
    EDGES_READ_ONLY = "ERR_EDGES_READ_ONLY"
    FOREIGN_CALLER = "ERR_FOREIGN_CALLER"
    INTERNAL = "ERR_INTERNAL"
    INVALID_REQUEST = "ERR_INVALID_REQUEST"
    MODULE_NOT_SET = "ERR_MODULE_NOT_SET"
    NOT_FOUND = "ERR_NOT_FOUND"
    RATE_LIMIT = "ERR_RATE_LIMIT"
    # The state of the account
    DOMAIN_TAKEN = "ERR_DOMAIN_TAKEN"
    EDGE_LIMIT = "ERR_EDGE_LIMIT"
    EVENT_TYPE = "ERR_EVENT_TYPE"
    HOSTPORT_TAKEN = "ERR_HOSTPORT_TAKEN"
    ID_TAKEN = "ERR_ID_TAKEN"
    IN_USE = "ERR_IN_USE"
    MATCH_TAKEN = "ERR_MATCH_TAKEN"
    NOT_RESERVED = "ERR_NOT_RESERVED"
    OBJECT_LIMIT = "ERR_OBJECT_LIMIT"
    ONE_LOGIN_PER_EDGE = "ERR_ONE_LOGIN_PER_EDGE"
    ONE_SIGN_IN = "ERR_ONE_SIGN_IN"
    ROUTE_LIMIT = "ERR_ROUTE_LIMIT"
    SOURCE_EXISTS = "ERR_SOURCE_EXISTS"
    SOURCE_LIMIT = "ERR_SOURCE_LIMIT"
    UNKNOWN_REFERENCE = "ERR_UNKNOWN_REFERENCE"
    # The values in a body. If several are invalid, the response has the code of the first.
    EMPTY = "ERR_EMPTY"
    HALF_AN_APP = "ERR_HALF_AN_APP"
    HOST = "ERR_HOST"
    HOSTPORT = "ERR_HOSTPORT"
    KIND_OF_ID = "ERR_KIND_OF_ID"
    MIN_VERSION_UPSTREAM = "ERR_MIN_VERSION_UPSTREAM"
    NETWORK = "ERR_NETWORK"
    NOT_UNIQUE = "ERR_NOT_UNIQUE"
    NULL = "ERR_NULL"
    ONE_TARGET = "ERR_ONE_TARGET"
    OUT_OF_RANGE = "ERR_OUT_OF_RANGE"
    REQUIRED = "ERR_REQUIRED"
    SCOPES_WITHOUT_APP = "ERR_SCOPES_WITHOUT_APP"
    SECRET_REQUIRED = "ERR_SECRET_REQUIRED"
    TOO_LONG = "ERR_TOO_LONG"
    UNKNOWN_FIELD = "ERR_UNKNOWN_FIELD"
    UNKNOWN_VALUE = "ERR_UNKNOWN_VALUE"
    URL = "ERR_URL"


OF_VALIDATION = {
    "extra_forbidden": Code.UNKNOWN_FIELD,
    "greater_than_equal": Code.OUT_OF_RANGE,
    "less_than_equal": Code.OUT_OF_RANGE,
    "literal_error": Code.UNKNOWN_VALUE,
    "missing": Code.REQUIRED,
    "string_pattern_mismatch": Code.KIND_OF_ID,
    "string_too_long": Code.TOO_LONG,
    "string_too_short": Code.EMPTY,
    **{code.value: code for code in Code},
}
"""The codes of the errors that pydantic finds, by their type. A value of the wrong type is an invalid request."""
