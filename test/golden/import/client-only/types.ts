import {
  externalResource,
  type AtomicList,
  type CustomResource,
  type EmptyObject,
  type Float,
  type Int32,
  type Integer,
} from 'opsdk';

export interface ClientSpec {
  itemsOnObject?: EmptyObject;
  lengthOfInteger?: Integer;
  unknownFormat?: string;
  numberInt32?: Float;
  tooGreat?: Int32;
  defaultNull?: string;
  notNullable?: string;
  listTypeless?: AtomicList<string>;
  oneOf?: OneOf;
  not?: string;
}

export interface OneOf {
  a?: string;
  b?: string;
}

export interface Client extends CustomResource<'example.com/v1', 'Client'> {
  spec?: ClientSpec;
}

export const Client = externalResource<Client>({
  group: 'example.com',
  version: 'v1',
  kind: 'Client',
  plural: 'clients',
  scope: 'Namespaced',
});
