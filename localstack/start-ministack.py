"""
Starts MiniStack with four gaps closed; arguments and variables are its own.

It calls the function of an EventBridge rule once and forgets the outcome; AWS calls it like any asynchronous invocation: two
further attempts, then (or after success) the outcome goes to the destination. Without that no run of an agent is on record.

A body sent with a Content-Encoding reaches functions as text, which destroys it; with AWS it arrives as base64. Listeners of the
public library compress what they write.

With AUTH=true it asks for `lambda:CreateFunction` on everything and for a rule's targets on its bus; AWS asks on the function
that is made, and on the rule.
"""

import contextvars
import datetime
import json
import threading
import time
import uuid

from ministack import app
from ministack.core import iam_actions
from ministack.services import apigateway, eventbridge, lambda_svc

RETRIES = 2
PAUSE_SECONDS = 1


def record_of(function_arn, event, result, condition, attempts):
    """https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-retain-records.html"""
    return {
        "version": "1.0",
        "timestamp": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z",
        "requestContext": {
            "requestId": str(uuid.uuid4()),
            "functionArn": f"{function_arn}:$LATEST",
            "condition": condition,
            "approximateInvokeCount": attempts,
        },
        "requestPayload": event,
        "responseContext": {"statusCode": 200, "executedVersion": "$LATEST"},
        "responsePayload": result.get("body"),
    }


def run(func, event):
    config = func.get("config") or func
    invoke_config = func.get("event_invoke_config") or (func.get("event_invoke_configs") or {}).get("$LATEST") or {}
    destinations = invoke_config.get("DestinationConfig") or {}
    retries = invoke_config.get("MaximumRetryAttempts")
    attempts = (RETRIES if retries is None else int(retries)) + 1
    for attempt in range(1, attempts + 1):
        result = lambda_svc._execute_function_with_config_scope(func, event)
        if not result.get("error"):
            break
        if attempt < attempts:
            time.sleep(PAUSE_SECONDS * attempt)
    failed = bool(result.get("error"))
    if failed:
        lambda_svc.logger.warning("Lambda %s failed: %s", config.get("FunctionName"), json.dumps(result)[:2000])
    target = (destinations.get("OnFailure" if failed else "OnSuccess") or {}).get("Destination")
    if failed and not target:
        target = (config.get("DeadLetterConfig") or {}).get("TargetArn")
    if not target:
        return
    called, called_config, _ = (
        lambda_svc._get_func_record_for_ref(target) if ":lambda:" in target else (None, None, "")
    )
    if called and called_config:
        condition = "RetriesExhausted" if failed else "Success"
        record = record_of(config.get("FunctionArn", ""), event, result, condition, attempt)
        invoke(lambda_svc._execution_record_for_config(called, called_config), record)
    elif failed:
        route = (lambda_svc._route_async_failure, target, config.get("FunctionName", ""), event, result)
        lambda_svc._run_with_function_config_scope(func, *route)


def invoke(func, event):
    threading.Thread(target=run, args=(func, event), daemon=True).start()


def dispatch(arn, payload):
    func, config, name = lambda_svc._get_func_record_for_ref(arn)
    if func and config:
        invoke(lambda_svc._execution_record_for_config(func, config), json.loads(payload))
    else:
        eventbridge.logger.warning("EventBridge: function %s not found", name)


extract_resource_arn = iam_actions.extract_resource_arn


def resource_arn(service, method, path, headers, body, query_params, region, account_id, *more, **named):
    found = extract_resource_arn(service, method, path, headers, body, query_params, region, account_id, *more, **named)
    if service == "lambda" and method == "POST" and path.rstrip("/").endswith("/functions"):
        return f"arn:aws:lambda:{region}:{account_id}:function:{json.loads(body or b'{}').get('FunctionName', '')}"
    if service == "events" and ":event-bus/" in found:
        rule = json.loads(body or b"{}").get("Rule")
        return found.replace(":event-bus/", ":rule/") + f"/{rule}" if rule else found
    return found


is_compressed = contextvars.ContextVar("is_compressed", default=False)
body_is_text = apigateway._v2_request_body_is_text
invoke_lambda_proxy = apigateway._invoke_lambda_proxy


async def proxied(integration, api_id, stage, path, method, headers, *more, **named):
    is_compressed.set(headers.get("content-encoding", "identity") != "identity")
    return await invoke_lambda_proxy(integration, api_id, stage, path, method, headers, *more, **named)


apigateway._invoke_lambda_proxy = proxied
apigateway._v2_request_body_is_text = lambda content_type: not is_compressed.get() and body_is_text(content_type)
iam_actions.extract_resource_arn = resource_arn
lambda_svc.invoke_async_with_retry = invoke
eventbridge._dispatch_to_lambda = dispatch

if __name__ == "__main__":
    app.main()
