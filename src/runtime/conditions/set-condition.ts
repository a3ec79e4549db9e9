import type { Condition } from '../../api/index.ts';
import { FindingList } from '../../errors/index.ts';

/** What `setCondition` takes: a condition without its time. */
export interface ConditionInput {
  readonly type: string;
  readonly status: Condition['status'];
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: number | undefined;
}

// Source: the kubebuilder markers of apimachinery `metav1.Condition`.
const TYPE =
  /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$/;
const REASON = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
const LONGEST_TYPE = 316;
const LONGEST_REASON = 1024;
const LONGEST_MESSAGE = 32_768;

/**
 * The list with one condition set: the one of its type is replaced where it stands, a new one comes last.
 * `lastTransitionTime` changes only when `status` does. The given list stays as it is.
 *
 * @param conditions the present list; undefined is an empty one
 * @param now the time of a transition; default: the present
 * @throws OpSdkError `runtime/invalid-condition` with everything that the API server would refuse
 */
export function setCondition(
  conditions: readonly Condition[] | undefined,
  input: ConditionInput,
  now: Date = new Date(),
): Condition[] {
  check(input);
  const list = [...(conditions ?? [])];
  const place = list.findIndex((condition) => condition.type === input.type);
  const present = list[place];
  const { type, status, reason, message, observedGeneration } = input;
  const condition: Condition = {
    type,
    status,
    reason,
    message,
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
    lastTransitionTime: present?.status === status ? present.lastTransitionTime : toSeconds(now),
  };
  if (present === undefined) list.push(condition);
  else list[place] = condition;
  return list;
}

/** RFC 3339 in whole seconds, as `metav1.Time` writes it. */
function toSeconds(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, 'Z');
}

function check(input: ConditionInput): void {
  const findings = new FindingList();
  const where = { object: `condition ${JSON.stringify(input.type)}` };
  const refuse = (message: string, fix: string): void =>
    findings.add({ code: 'runtime/invalid-condition', message, where, fix: [fix] });

  if (!TYPE.test(input.type) || input.type.length > LONGEST_TYPE) {
    refuse(
      `type ${JSON.stringify(input.type)} is not CamelCase or example.com/CamelCase of at most ${LONGEST_TYPE} characters`,
      'name the type like Ready or Available',
    );
  }
  if (!['True', 'False', 'Unknown'].includes(input.status)) {
    refuse(
      `status ${JSON.stringify(input.status)} is none of True, False, Unknown`,
      "give 'True', 'False' or 'Unknown'",
    );
  }
  if (!REASON.test(input.reason) || input.reason.length > LONGEST_REASON) {
    refuse(
      `reason ${JSON.stringify(input.reason)} is not CamelCase of 1 to ${LONGEST_REASON} characters`,
      'name the reason like DeploymentReady; put sentences into the message',
    );
  }
  if (typeof input.message !== 'string') {
    refuse('message is not a string', "give a message; '' if there is nothing to say");
  } else if (input.message.length > LONGEST_MESSAGE && [...input.message].length > LONGEST_MESSAGE) {
    refuse(`message is longer than ${LONGEST_MESSAGE} characters`, 'shorten the message');
  }
  const generation = input.observedGeneration;
  if (generation !== undefined && (!Number.isSafeInteger(generation) || generation < 0)) {
    refuse(
      `observedGeneration ${generation} is not a whole number from 0`,
      'give metadata.generation of the object',
    );
  }
  findings.throwIfAny();
}
