import type { Condition } from '../api/index.ts';
import { FindingList, type Finding } from '../../base/errors/index.ts';

// Source: the kubebuilder markers of apimachinery `metav1.Condition`.
const TYPE =
  /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$/;
const REASON = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
const LONGEST_TYPE = 316;
const LONGEST_REASON = 1024;
const LONGEST_MESSAGE = 32_768;

/**
 * Checks what a controller wants to set by the rules of the CRD's schema, before the API server does: its answer names a list index only.
 *
 * @param condition of a type that {@link checkConditionTypes} accepts
 * @throws OpSdkError `runtime/invalid-condition` with everything that the API server would refuse
 */
export function checkCondition({
  type,
  reason,
  message,
}: Pick<Condition, 'type' | 'reason' | 'message'>): void {
  const findings = new FindingList();
  if (!REASON.test(reason) || reason.length > LONGEST_REASON) {
    const found = `reason: expected CamelCase of 1 to ${LONGEST_REASON} characters, got ${JSON.stringify(reason)}`;
    findings.add(
      invalid(type, found, 'name the reason like DeploymentReady; put sentences into the message'),
    );
  }
  if (typeof message !== 'string') {
    const found = `message: expected a string, got ${typeof message}`;
    findings.add(invalid(type, found, "give a message; '' if there is nothing to say"));
  } else if (message.length > LONGEST_MESSAGE && [...message].length > LONGEST_MESSAGE) {
    const found = `message: expected at most ${LONGEST_MESSAGE} characters, got ${[...message].length}`;
    findings.add(invalid(type, found, 'shorten the message'));
  }
  findings.throwIfAny();
}

/** @throws OpSdkError `runtime/invalid-condition` with every type that the API server would refuse */
export function checkConditionTypes(types: readonly string[]): void {
  const findings = new FindingList();
  for (const type of types) {
    if (TYPE.test(type) && type.length <= LONGEST_TYPE) continue;
    const found = `type: expected CamelCase or example.com/CamelCase of at most ${LONGEST_TYPE} characters, got ${JSON.stringify(type)}`;
    findings.add(invalid(type, found, 'name the type like Ready or Available'));
  }
  findings.throwIfAny();
}

function invalid(type: string, message: string, fix: string): Finding {
  const where = { object: `condition ${JSON.stringify(type)}` };
  return { code: 'runtime/invalid-condition', message, where, fix: [fix] };
}
