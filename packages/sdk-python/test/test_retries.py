import unittest
from unittest.mock import patch

import httpx
from wharf_sdk import ServerError
from wharf_sdk.platform import RetryingTransport

OK = httpx.Response(200, json={"data": {}})


def fail(status, **headers):
    return httpx.Response(status, json={"errors": []}, headers={name.replace("_", "-"): value for name, value in headers.items()})


class Retries(unittest.TestCase):
    def send(self, method, path, *steps):
        """Returns the requests that were sent, and the waits between them."""
        script = iter(steps)
        sent = []

        def respond(request):
            sent.append(request)
            step = next(script)
            if isinstance(step, Exception):
                raise step
            return step

        transport = RetryingTransport(3, httpx.MockTransport(respond))
        with patch("time.sleep") as sleep, httpx.Client(transport=transport, base_url="http://wharf.test") as client:
            try:
                self.outcome = client.request(method, path)
            except Exception as error:
                self.outcome = error
        return sent, [call.args[0] for call in sleep.call_args_list]

    def test_repeats_a_get_after_temporary_failures(self):
        sent, waits = self.send("GET", "/api/v1/spaces", fail(503), httpx.ConnectError("reset"), fail(429, retry_after="7"), OK)
        self.assertEqual(len(sent), 4)
        self.assertEqual(self.outcome.status_code, 200)
        self.assertEqual(waits[2], 7)

    def test_repeats_a_post_with_one_key(self):
        sent, _ = self.send("POST", "/api/v1/spaces", httpx.ReadError("reset"), fail(409, retry_after="1"), OK)
        keys = [request.headers["idempotency-key"] for request in sent]
        self.assertEqual(len(keys), 3)
        self.assertEqual(len(set(keys)), 1)

    def test_raises_the_last_failure(self):
        sent, _ = self.send("GET", "/api/v1/spaces", *[fail(503)] * 4)
        self.assertEqual(len(sent), 4)
        self.assertIsInstance(self.outcome, ServerError)

    def test_sends_a_patch_once(self):
        sent, _ = self.send("PATCH", "/api/v1/spaces/us_sp_1", fail(503), OK)
        self.assertEqual(len(sent), 1)

    def test_leaves_waits_of_more_than_a_minute_to_the_caller(self):
        sent, _ = self.send("GET", "/api/v1/spaces", fail(429, retry_after="61"), OK)
        self.assertEqual(len(sent), 1)


if __name__ == "__main__":
    unittest.main()
