import { defineResource, type CustomResource, type Integer } from 'opsdk';

export interface RuleSpec {
  /** @immutable */
  image?: string;

  /**
   * @cel self > 0
   * @cel self < 9 : "must be \"small\""
   */
  size?: Integer;

  /** @cel {"rule":"self != ''","messageExpression":"'bad: ' + self","reason":"FieldValueInvalid"} */
  whole?: string;
  /** @cel {"rule":"self != 'a'\n&& self != 'b'","message":"neither"} */
  lines?: string;

  /**
   * @k8s {"x-kubernetes-validations":[{"rule":"self != ''","message":"a"},{"rule":"self != ''","message":"b"}]}
   */
  twice?: string;

  /** @cel {"rule":"self != ' \u0040x *\/'"} */
  tag?: string;
  range?: Range;
}

/** @cel {"rule":"self.min <= self.max","message":"min must not exceed max","fieldPath":".max"} */
export interface Range {
  min?: Integer;
  max?: Integer;
}

export interface Rule extends CustomResource<'example.com/v1', 'Rule'> {
  spec?: RuleSpec;
}

export const Rule = defineResource<Rule>({
  group: 'example.com',
  version: 'v1',
  kind: 'Rule',
  scope: 'Namespaced',
  crd: { standardFields: { apiVersion: false, kind: false, metadata: false } },
});
