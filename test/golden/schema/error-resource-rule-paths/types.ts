import { defineResource, type CustomResource, type Int32 } from 'opsdk';

export interface RulePaths extends CustomResource {
  spec: { a?: string; list?: Int32[] };
}

export const RulePaths = defineResource<RulePaths>({
  group: 'rule-paths.example.com',
  version: 'v1',
  kind: 'RulePaths',
  plural: 'rulepaths',
  cel: [
    { rule: 'true', fieldPath: '.spec.a' },
    { rule: 'true', fieldPath: '.spec.b' },
    { rule: 'true', fieldPath: '.metadata.name' },
    { rule: 'true', fieldPath: '.spec.list[0]' },
    { rule: "self.spec.a == 'x" },
  ],
});
