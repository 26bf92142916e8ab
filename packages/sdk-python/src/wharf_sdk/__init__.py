"""A client of the Wharf API: `wharf_sdk.rest` has a function per endpoint, this module connects them to a platform."""
from .errors import (
    Conflict,
    Forbidden,
    NotFound,
    RateLimited,
    ServerError,
    TooLarge,
    Unauthorized,
    Unprocessable,
    ValidationFailed,
    WharfError,
)
from .pages import list_all
from .platform import connect

__all__ = [
    "Conflict",
    "Forbidden",
    "NotFound",
    "RateLimited",
    "ServerError",
    "TooLarge",
    "Unauthorized",
    "Unprocessable",
    "ValidationFailed",
    "WharfError",
    "connect",
    "list_all",
]
