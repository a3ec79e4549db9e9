import type { KubeObject } from '../../sdk/api/index.ts';

/** A condition as OLM writes it: v0 leaves out what is required elsewhere. */
export interface OlmCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly observedGeneration?: number;
}

/** An object with conditions. */
export interface Conditioned extends KubeObject {
  readonly status?: { readonly conditions?: readonly OlmCondition[] };
}

/** A condition of an object, unless it is about a former generation. */
export function conditionOf({ metadata, status }: Conditioned, type: string): OlmCondition | undefined {
  const found = status?.conditions?.find((condition) => condition.type === type);
  const { generation = 0 } = metadata;
  return (found?.observedGeneration ?? generation) < generation ? undefined : found;
}

/** A condition of an object that is True. */
export function trueCondition(object: Conditioned, type: string): OlmCondition | undefined {
  const found = conditionOf(object, type);
  return found?.status === 'True' ? found : undefined;
}
