import { defineResource, type CustomResource } from 'opsdk';

export interface Twin extends CustomResource {
  spec: { a: string };
}

export const Twin = defineResource<Twin>({ group: 'declared-twice.example.com', version: 'v1', kind: 'Twin' });
export const Other = defineResource<Twin>({ group: 'declared-twice.example.com', version: 'v1', kind: 'Twin' });
