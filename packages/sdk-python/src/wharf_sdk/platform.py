import random
import re
import time
import uuid

import httpx

from .errors import to_error
from .rest import AuthenticatedClient

TIMEOUT_SECONDS = 60.0
FIRST_DELAY_SECONDS = 0.25
MAX_DELAY_SECONDS = 10.0
# The caller decides about longer waits.
MAX_RETRY_AFTER_SECONDS = 60.0
TEMPORARY = {429, 502, 503, 504}
# These accept no Idempotency-Key, or have another effect a second time.
ONCE = re.compile(r"/(auth|auth/refresh-token|invitations/exchange|oauth/(register|revoke|token)|users/accept-invite|find-replace)$")


def connect(url: str, token: str, *, retries: int = 3, timeout: float = TIMEOUT_SECONDS) -> AuthenticatedClient:
    """A client for the functions of `wharf_sdk.rest`. Their failures are raised as `WharfError`."""
    return AuthenticatedClient(
        base_url=re.sub(r"(/api(/v1)?)?/*$", "", url),
        token=token,
        timeout=httpx.Timeout(timeout),
        follow_redirects=True,
        httpx_args={"transport": RetryingTransport(retries)},
    )


class RetryingTransport(httpx.BaseTransport):
    def __init__(self, retries: int, transport: httpx.BaseTransport | None = None) -> None:
        self.retries = retries
        self.transport = transport or httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.read()
        is_once = ONCE.search(request.url.path) is not None or request.method == "PATCH"
        if request.method == "POST" and not is_once:
            request.headers.setdefault("idempotency-key", str(uuid.uuid4()))
        for attempt in range(self.retries + 1):
            is_last = attempt == self.retries
            try:
                response = self.transport.handle_request(request)
            except httpx.TransportError:
                if is_last or is_once:
                    raise
                time.sleep(get_delay(attempt))
                continue
            if response.status_code < 400:
                return response
            response.request = request
            response.read()
            response.close()
            if is_last or not can_retry(response, is_once):
                raise to_error(response)
            time.sleep(get_retry_after(response) or get_delay(attempt))
        raise AssertionError("The last attempt returns or raises.")

    def close(self) -> None:
        self.transport.close()


def can_retry(response: httpx.Response, is_once: bool) -> bool:
    if get_retry_after(response) > MAX_RETRY_AFTER_SECONDS:
        return False
    # A request that was rejected with 429 did not run.
    if is_once:
        return response.status_code == 429
    # With `Retry-After`, the first attempt is still running under the same Idempotency-Key.
    is_running = response.status_code == 409 and "retry-after" in response.headers
    return is_running or response.status_code in TEMPORARY


def get_retry_after(response: httpx.Response) -> float:
    value = response.headers.get("retry-after", "0")
    return float(value) if value.isdigit() else 0.0


def get_delay(attempt: int) -> float:
    return min(MAX_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2**attempt) * random.uniform(0.5, 1)
