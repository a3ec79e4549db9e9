import {
  defineResource,
  type AtomicList,
  type CustomResource,
  type EmptyObject,
  type Float,
  type Int32,
  type Integer,
} from 'opsdk';

export interface StrangeSpec {
  /** @k8s {"items":{"type":"object","x-kubernetes-preserve-unknown-fields":true}} */
  itemsOnObject?: EmptyObject;
  /** @k8s {"minLength":1} */
  lengthOfInteger?: Integer;
  /** @k8s {"format":"binary"} */
  unknownFormat?: string;
  /** @k8s {"format":"int32"} */
  numberInt32?: Float;
  /** @k8s {"maximum":4294967295} */
  tooGreat?: Int32;
  /** @k8s {"default":null} */
  defaultNull?: string;
  notNullable?: string;
  /** @minItems 1 */
  listTypeless?: AtomicList<string>;
  oneOf?: OneOf;
  /** @not {"pattern":"^a"} */
  not?: string;
}

/** @oneOf [{"required":["a"]},{"required":["b"]}] */
export interface OneOf {
  a?: string;
  b?: string;
}

export interface Strange extends CustomResource<'example.com/v1', 'Strange'> {
  spec?: StrangeSpec;
}

export const Strange = defineResource<Strange>({
  group: 'example.com',
  version: 'v1',
  kind: 'Strange',
  scope: 'Namespaced',
  crd: { standardFields: { apiVersion: false, kind: false, metadata: false } },
});
