import {
  context,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type TextMapGetter,
  type Tracer,
} from '@opentelemetry/api';
import { isJsonMap, jsonListOf, jsonMapOf, type JsonMap } from '../../base/util/json-map.ts';
import type { WebhookMessage } from '../runtime/index.ts';
import { objectAttributes } from './reconcile-span.ts';
import { safely, recordError, runInSpan, textOf, type Propagation } from './spans.ts';

/** Status of a request whose client disconnected before the answer, as in the metrics. */
const LEFT = 499;

const headerGetter: TextMapGetter<WebhookMessage['headers']> = {
  keys: (headers) => Object.keys(headers),
  get: (headers, name) => headers[name.toLowerCase()],
};

/**
 * Opens the span of a request to a webhook. It continues the trace that the API server names in the headers of the request. A refusal is an
 * answer, no error.
 */
export function traceWebhook(tracer: Tracer, propagator: Propagation, message: WebhookMessage): void {
  const attributes = {
    'http.request.method': 'POST',
    'http.route': message.path,
    'url.path': message.path,
    'url.scheme': 'https',
  };
  const parent = parentOf(propagator, message);
  const span = tracer.startSpan(`POST ${message.path}`, { kind: SpanKind.SERVER, attributes }, parent);
  const open = { span, context: trace.setSpan(parent, span) };
  runInSpan(message, open, {
    resolved: (reply) => {
      const status = reply?.status ?? LEFT;
      span.setAttribute('http.response.status_code', status);
      safely(() => span.setAttributes(reviewAttributes(message.review, reply?.body)));
      if (message.error !== undefined) recordError(span, message.error);
      else if (status >= 500 || reply === undefined) fail(span, String(status));
    },
    rejected: (error) => recordError(span, error),
  });
}

function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/**
 * Returns the context that a request continues. If an instrumentation of node:http has continued it already, the active span is the
 * nearest one.
 */
function parentOf(propagator: Propagation, { headers }: WebhookMessage): Context {
  const sent = safely(() => propagator.extract(ROOT_CONTEXT, headers, headerGetter)) ?? ROOT_CONTEXT;
  const remote = trace.getSpanContext(sent);
  if (remote === undefined || !isSpanContextValid(remote)) return ROOT_CONTEXT;
  const active = context.active();
  return trace.getSpanContext(active)?.traceId === remote.traceId ? active : sent;
}

/** Returns the attributes of a review and its answer. The review is untrusted. */
function reviewAttributes(review: unknown, answer: unknown): Attributes {
  if (!isJsonMap(review)) return {};
  const request = jsonMapOf(review['request']);
  const response = jsonMapOf(jsonMapOf(answer)['response']);
  const uid = { 'opsdk.review.uid': textOf(request['uid']) };
  return 'objects' in request
    ? { ...uid, ...conversionAttributes(request, response) }
    : { ...uid, ...admissionAttributes(request, response) };
}

function admissionAttributes(request: JsonMap, response: JsonMap): Attributes {
  const { group, version, kind } = jsonMapOf(request['kind']);
  const { code, reason } = jsonMapOf(response['status']);
  return {
    ...objectAttributes(
      { group: textOf(group), version: textOf(version), kind: textOf(kind) },
      { namespace: textOf(request['namespace']), name: textOf(request['name']) },
    ),
    'opsdk.request.subresource': textOf(request['subResource']),
    'opsdk.admission.operation': textOf(request['operation']),
    'opsdk.admission.dry_run': request['dryRun'] === true ? true : undefined,
    'opsdk.admission.allowed': response['allowed'] === true,
    'opsdk.admission.code': typeof code === 'number' ? code : undefined,
    'opsdk.admission.reason': textOf(reason),
  };
}

function conversionAttributes(request: JsonMap, response: JsonMap): Attributes {
  const objects = jsonListOf(request['objects']);
  return {
    'opsdk.conversion.desired_api_version': textOf(request['desiredAPIVersion']),
    'opsdk.conversion.objects': objects.length,
    'opsdk.conversion.result': textOf(jsonMapOf(response['result'])['status']),
    'opsdk.object.kind': textOf(jsonMapOf(objects[0])['kind']),
  };
}
