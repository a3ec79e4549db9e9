import { defineResource, type CustomResource, type Float, type Integer } from 'opsdk';

export interface ChoiceSpec {
  plain?: 'b' | 'a';
  quoted?: "it's" | 'a"b' | '' | 'a\nb';
  /** @k8s {"enum":["a","a"]} */
  twice?: string;
  /** @format int32 */
  number?: 1 | 2;
  /** @k8s {"enum":[-1,0]} */
  negative?: Integer;
  /** @k8s {"enum":[1,2]} */
  fraction?: Float;
  /** @k8s {"enum":[1,2]} */
  wrong?: string;
  always?: true;
  /** @k8s {"enum":[false,true]} */
  either?: boolean;
  /** @nullable */
  nullable?: 'a' | 'b';
  list?: ('a' | 'b')[];
  long?:
    | 'a-rather-long-value-of-an-enumeration'
    | 'another-rather-long-value-of-it'
    | 'and-a-third-one-beyond-the-line';
}

export interface Choice extends CustomResource<'example.com/v1', 'Choice'> {
  spec?: ChoiceSpec;
}

export const Choice = defineResource<Choice>({
  group: 'example.com',
  version: 'v1',
  kind: 'Choice',
  scope: 'Namespaced',
  crd: { standardFields: { apiVersion: false, kind: false, metadata: false } },
});
