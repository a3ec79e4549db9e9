import { defineResource, type CustomResource, type Integer } from 'opsdk';

export interface TeamSpec {
  /** All of them. */
  members?: Member[];
  /** The first of them. */
  lead?: Member;
  rooms?: Record<string, Room>;
}

/** Member is a person. */
export interface Member {
  name?: string;
}

/** A place. */
export interface Room {
  floor?: Integer;
}

export interface Team extends CustomResource<'example.com/v1', 'Team'> {
  spec?: TeamSpec;
}

export const Team = defineResource<Team>({
  group: 'example.com',
  version: 'v1',
  kind: 'Team',
  scope: 'Namespaced',
  crd: { standardFields: { apiVersion: false, kind: false, metadata: false } },
});
