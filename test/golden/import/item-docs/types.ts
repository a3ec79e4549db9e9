import { defineResource, type CustomResource, type Integer } from 'opsdk';

export interface TeamSpec {
  /** All of them. */
  members?: TeamSpecMember[];
  /** The first of them. */
  lead?: TeamSpecMember;
  rooms?: Record<string, TeamSpecRoom>;
}

/** Member is a person. */
export interface TeamSpecMember {
  name?: string;
}

/** A place. */
export interface TeamSpecRoom {
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
