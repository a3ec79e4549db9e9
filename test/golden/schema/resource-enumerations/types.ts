import { defineResource, type CustomResource } from 'opsdk';

enum Scope {
  Namespaced = 'Namespaced',
  Cluster = 'Cluster',
}

const enum Version {
  Current = 'v1',
}

export interface Enumerated extends CustomResource {
  spec: { a: string };
}

export const Enumerated = defineResource<Enumerated>({
  group: `${Version.Current}.enumerations.example.com`,
  version: Version.Current,
  kind: 'Enumerated',
  scope: Scope.Cluster,
});
