import type { Finding } from '../../errors/index.ts';
import type { SourcePlace } from '../../source/index.ts';

/** A finding of what an RBAC rule says. */
export function invalidRule(message: string, where: SourcePlace, ...fix: readonly string[]): Finding {
  return { code: 'manifests/invalid-rbac-rule', message, where, fix };
}
