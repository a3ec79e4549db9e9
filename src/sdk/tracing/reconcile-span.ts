import { context, SpanKind, trace, type Attributes, type Tracer } from '@opentelemetry/api';
import { keyText } from '../kube/index.ts';
import { isTerminalError, unwrapTerminalError, type RunEnd, type RunMessage } from '../runtime/index.ts';
import { recordError, runInSpan, warnOnce, type OpenSpan } from './spans.ts';

/**
 * Opens the span of a run of a reconcile. It is the root of a trace: the change of an object that caused the run is known only as a key in
 * a queue. Its kind is CONSUMER, because a worker takes the key from that queue, and because many tools regard only SERVER and CONSUMER
 * spans as the units of work whose rate, errors and duration they show.
 */
export function traceRun(tracer: Tracer, message: RunMessage): void {
  const attributes = attributesOf(message);
  const active = context.active();
  const name = `reconcile ${message.controller}`;
  const span = tracer.startSpan(name, { kind: SpanKind.CONSUMER, root: true, attributes }, active);
  const open = { span, context: trace.setSpan(active, span) };
  runInSpan(message, open, {
    resolved: ({ outcome, delay, error }: RunEnd) => {
      span.setAttribute('opsdk.reconcile.result', outcome);
      if (delay !== undefined) span.setAttribute('opsdk.reconcile.requeue_after', delay / 1000);
      if (outcome !== 'error') return;
      span.setAttribute('opsdk.reconcile.terminal', isTerminalError(error));
      recordError(span, unwrapTerminalError(error));
    },
    rejected: (error) => recordError(span, error),
  });
  // After the above, so that the span ends even if this fails.
  if (span.isRecording()) checkContext(open);
}

function attributesOf({ trigger, waited, ...message }: RunMessage): Attributes {
  return {
    'opsdk.controller': message.controller,
    'opsdk.reconcile.id': message.reconcileID,
    'opsdk.reconcile.attempt': message.attempt,
    'opsdk.reconcile.queue_duration': waited === undefined ? undefined : waited / 1000,
    'opsdk.reconcile.trigger.type': trigger?.type,
    'opsdk.reconcile.trigger.source': trigger?.source,
    'opsdk.reconcile.trigger.event': trigger?.event,
    'opsdk.reconcile.trigger.object': trigger?.object && keyText(trigger.object),
    ...objectAttributes(message.for, message.key),
  };
}

/** Returns the attributes that identify an object. */
export function objectAttributes(
  kind: { readonly [K in 'group' | 'version' | 'kind']: string | undefined },
  { namespace, name }: { readonly namespace?: string | undefined; readonly name?: string | undefined },
): Attributes {
  return {
    // Absent for the core group, whose name is empty.
    'opsdk.object.group': kind.group === '' ? undefined : kind.group,
    'opsdk.object.version': kind.version,
    'opsdk.object.kind': kind.kind,
    'opsdk.object.name': name,
    'k8s.namespace.name': namespace,
  };
}

/** Warns if contexts are not kept: then neither requests nor spans of the operator's own would belong to a reconcile. */
function checkContext(open: OpenSpan): void {
  if (context.with(open.context, () => trace.getActiveSpan() === open.span)) return;
  warnOnce(
    'runtime/no-trace-context',
    'opsdk/tracing: expected a context manager of OpenTelemetry, got none, so that spans of reconciles have no children',
  );
}
