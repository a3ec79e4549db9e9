import { defineResource, type CustomResource, type ListMap } from 'opsdk';

export interface ConditionStatus {
  conditions?: ListMap<StatusCondition, 'type'>;
}

export interface StatusCondition {
  type: string;
}

export interface Condition extends CustomResource<'example.com/v1', 'Condition'> {
  status?: ConditionStatus;
}

export const Condition = defineResource<Condition>({
  group: 'example.com',
  version: 'v1',
  kind: 'Condition',
  scope: 'Namespaced',
  crd: { standardFields: { apiVersion: false, kind: false, metadata: false } },
});
