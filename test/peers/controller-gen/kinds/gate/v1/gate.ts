import { defineResource, type AtomicList, type CustomResource, type Int32, type ListSet } from 'opsdk';

/**
 * Window is a part of the day.
 *
 * @cel {"rule": "self.from < self.to", "message": "from must be before to", "fieldPath": ".to", "reason": "FieldValueInvalid"}
 * @cel {"rule": "self.to - self.from <= 12", "messageExpression": "'a window of %d hours is too long'.format([self.to - self.from])"}
 */
export interface Window {
  /**
   * @minimum 0
   * @maximum 23
   */
  from: Int32;

  /**
   * @minimum 1
   * @maximum 24
   */
  to: Int32;
}

/**
 * GateName is the name of a gate.
 *
 * @maxLength 64
 * @cel {"rule": "self.startsWith('gate-')", "message": "must start with gate-", "reason": "FieldValueForbidden"}
 */
export type GateName = string;

/**
 * GateSpec defines the desired state of Gate.
 *
 * @cel {"rule": "!has(self.next) || self.next != self.name", "message": "a gate cannot lead to itself", "fieldPath": ".next", "reason": "FieldValueDuplicate"}
 */
export interface GateSpec {
  /** Name of the gate. */
  name: GateName;

  /** Next gate. */
  next?: GateName;

  /**
   * Serial can be set once.
   *
   * @cel {"rule": "!oldSelf.hasValue() || oldSelf.value() == self", "message": "serial cannot change", "optionalOldSelf": true}
   */
  serial?: Int32;

  /**
   * Windows in which the gate is open.
   *
   * @maxItems 8
   * @cel self.all(w, w.from >= 6) : "nothing opens before 6"
   */
  windows?: AtomicList<Window>;

  /**
   * Keys that open the gate.
   *
   * @maxItems 4
   * @items.maxLength 16
   * @items.cel {"rule": "self != 'master'", "message": "no master keys", "reason": "FieldValueForbidden"}
   */
  keys?: ListSet<string>;

  /**
   * Owner is needed by every gate.
   *
   * @cel {"rule": "size(self) > 0", "message": "an owner is needed", "reason": "FieldValueRequired"}
   * @immutable
   */
  owner?: string;
}

/**
 * Gate is the Schema for the gates API.
 *
 * @cel self.metadata.name == self.spec.name : "the object is named like its gate"
 */
export interface Gate extends CustomResource {
  /** GateSpec defines the desired state of Gate. */
  spec: GateSpec;
}

export const Gate = defineResource<Gate>({
  group: 'policy.peers.example.com',
  version: 'v1',
  kind: 'Gate',
  cel: [
    {
      rule: 'has(oldSelf.spec.next) == has(self.spec.next)',
      messageExpression: "'next of ' + self.spec.name + ' cannot come or go'",
      reason: 'FieldValueForbidden',
    },
  ],
});
