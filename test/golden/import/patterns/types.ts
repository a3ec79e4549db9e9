import { defineResource, type CustomResource, type Float, type Int64, type Integer } from 'opsdk';

export interface PatternSpec {
  /** @pattern ^[a-z]+$ */
  plain?: string;
  /** @pattern ^.*\/x$ */
  ends?: string;
  /** @pattern ^[^/]*\\/x$ */
  escaped?: string;
  /** @k8s {"pattern":" x "} */
  blank?: string;
  /** @k8s {"pattern":"^a \u0040b$"} */
  tag?: string;

  /**
   * @items.minLength 1
   * @items.pattern ^a
   */
  items?: string[];

  /** @values.items.maxLength 5 */
  deep?: Record<string, string[]>;

  /**
   * @maximum 1
   * @exclusiveMinimum 0
   * @multipleOf 0.25
   */
  exclusive?: Float;

  /**
   * a*\/ b*\\/ c*\\\/ *\*\/
   *
   * @pattern ^a*\\\/b*\\\\/c$
   */
  backslashes?: string;

  /** @default *\\/ */
  ends_twice?: '*/*/' | '*\\/';

  /**
   * @minimum -9223372036854775808
   * @maximum 9223372036854775807
   */
  big?: Int64;

  /** @maximum 18446744073709551616 */
  larger?: Float;
  /** @multipleOf 9007199254740994 */
  even?: Integer;
}

export interface Pattern extends CustomResource<'example.com/v1', 'Pattern'> {
  spec?: PatternSpec;
}

export const Pattern = defineResource<Pattern>({
  group: 'example.com',
  version: 'v1',
  kind: 'Pattern',
  scope: 'Namespaced',
  crd: { standardFields: { apiVersion: false, kind: false, metadata: false } },
});
