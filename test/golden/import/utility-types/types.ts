import {
  defineResource,
  type AtomicList,
  type AtomicMap,
  type Base64,
  type CustomResource,
  type DateTime,
  type Double,
  type EmbeddedObjectMeta,
  type EmbeddedResource,
  type EmptyObject,
  type Float,
  type Int32,
  type Int64,
  type IntOrString,
  type Integer,
  type Json,
  type ListMap,
  type ListSet,
  type Quantity,
  type RawExtension,
} from 'opsdk';

export interface ToolSpec {
  int32?: Int32;
  /** @maximum 9007199254740991 */
  int64?: Int64;
  integer?: Integer;
  number?: Float;
  double?: Double;
  time?: DateTime;
  bytes?: Base64;
  any?: Json;
  object?: RawExtension;
  empty?: EmptyObject;
  embedded?: EmbeddedResource;
  port?: IntOrString;
  amount?: Quantity;
  set?: ListSet<string>;
  atomic?: AtomicList<string>;
  map?: ListMap<MapItem, 'name' | 'port'>;
  labels?: AtomicMap<string>;
  template?: EmbeddedObjectMeta;
}

export interface MapItem {
  name: string;
  /** @default 80 */
  port?: Integer;
}

export interface Tool extends CustomResource<'example.com/v1', 'Tool'> {
  spec?: ToolSpec;
}

export const Tool = defineResource<Tool>({
  group: 'example.com',
  version: 'v1',
  kind: 'Tool',
  scope: 'Namespaced',
  crd: { standardFields: { apiVersion: false, kind: false, metadata: false } },
});
