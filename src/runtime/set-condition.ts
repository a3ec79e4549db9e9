import type { Condition } from '../api/index.ts';
import { FindingList } from '../errors/index.ts';

/** What `setCondition` takes: a condition without its time. */
export interface ConditionInput {
  /** CamelCase or foo.example.com/CamelCase, such as `Ready`. At most 316 characters. */
  readonly type: string;
  /** `Unknown` where the controller cannot say yet. */
  readonly status: Condition['status'];
  /** CamelCase, for machines: `DeploymentReady`. 1 to 1,024 characters. */
  readonly reason: string;
  /** For people; `''` is allowed. At most 32,768 characters. */
  readonly message: string;
  /** `metadata.generation` of the object that was looked at. Default: none. */
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
 * The list with one condition set: the one of its type is replaced in its place, a new one is added at the end.
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
      `type: expected CamelCase or example.com/CamelCase of at most ${LONGEST_TYPE} characters, got ${JSON.stringify(input.type)}`,
      'name the type like Ready or Available',
    );
  }
  if (!['True', 'False', 'Unknown'].includes(input.status)) {
    refuse(
      `status: expected True, False or Unknown, got ${JSON.stringify(input.status)}`,
      "give 'True', 'False' or 'Unknown'",
    );
  }
  if (!REASON.test(input.reason) || input.reason.length > LONGEST_REASON) {
    refuse(
      `reason: expected CamelCase of 1 to ${LONGEST_REASON} characters, got ${JSON.stringify(input.reason)}`,
      'name the reason like DeploymentReady; put sentences into the message',
    );
  }
  if (typeof input.message !== 'string') {
    refuse(
      `message: expected a string, got ${typeof input.message}`,
      "give a message; '' if there is nothing to say",
    );
  } else if (input.message.length > LONGEST_MESSAGE && [...input.message].length > LONGEST_MESSAGE) {
    refuse(`message is longer than ${LONGEST_MESSAGE} characters`, 'shorten the message');
  }
  const generation = input.observedGeneration;
  if (generation !== undefined && (!Number.isSafeInteger(generation) || generation < 0)) {
    refuse(
      `observedGeneration: expected an integer of at least 0, got ${generation}`,
      'give metadata.generation of the object',
    );
  }
  findings.throwIfAny();
}
