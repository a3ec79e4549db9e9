import {
  context,
  SpanKind,
  SpanStatusCode,
  trace,
  type TextMapSetter,
  type Tracer,
} from '@opentelemetry/api';
import type { RequestMessage } from '../kube/index.ts';
import { secrets } from '../net/index.ts';
import { safely, recordError, runInSpan, type Propagation } from './spans.ts';

/** Valid names and values of request headers. Others, which a custom propagator may set, would make the request fail. */
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;
const headerValue = /^[\t -~]*$/;

const headerSetter: TextMapSetter<Record<string, string>> = {
  set: (headers, name, value) => {
    if (headerName.test(name) && typeof value === 'string' && headerValue.test(value)) headers[name] = value;
  },
};

/**
 * Opens the span of a request to an API server, and adds the context of the trace to the headers of the request. Each try of a request has
 * a span. Only requests within a span have one: those of caches and of leader election go on as long as the operator runs, and belong to no
 * span. A watch has none either, because it lasts longer than the span in which it was started.
 */
export function traceRequest(tracer: Tracer, propagator: Propagation, message: RequestMessage): void {
  const { target, server, method, attempt } = message;
  const active = context.active();
  if (trace.getSpan(active) === undefined || target.verb === 'watch') return;
  const { resource, subresource } = target;
  const type = resource && [resource.plural, resource.group].filter((part) => part !== '').join('.');
  const path = subresource === undefined ? type : `${type}/${subresource}`;
  const attributes = {
    'http.request.method': method,
    'http.request.resend_count': attempt === 1 ? undefined : attempt - 1,
    'url.full': urlOf(message),
    'server.address': server.hostname.replace(/^\[|\]$/g, ''),
    'server.port': Number(server.port) || (server.protocol === 'http:' ? 80 : 443),
    'opsdk.request.verb': resource && target.verb,
    'opsdk.request.resource': type,
    'opsdk.request.subresource': subresource,
    'opsdk.object.name': target.name,
    'k8s.namespace.name': target.namespace === '' ? undefined : target.namespace,
  };
  // The verb of a request without a resource is its path, of which there may be any number.
  const name = resource === undefined ? method : `${target.verb} ${path}`;
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, active);
  const open = { span, context: trace.setSpan(active, span) };
  safely(() => propagator.inject(open.context, message.headers, headerSetter));
  runInSpan(message, open, {
    resolved: ({ status }) => {
      span.setAttribute('http.response.status_code', status);
      if (status < 400) return;
      span.setAttribute('error.type', String(status));
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
    rejected: (error) => recordError(span, error),
  });
}

/**
 * Returns the URL of a request. Values that may be secret are redacted: commands of exec, and all values of requests that are not for a
 * resource, such as those that the API server passes on to a Service.
 */
function urlOf({ server, path, target }: RequestMessage): string {
  const secret = target.resource === undefined ? /([?&](?:[^=&]*=)?)[^&]+/g : /([?&]command=)[^&]*/g;
  const base = `${server.origin}${server.pathname.replace(/\/$/, '')}`;
  return secrets.redact(base + path.replace(secret, '$1REDACTED'));
}
