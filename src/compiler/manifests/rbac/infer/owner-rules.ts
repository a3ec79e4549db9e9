import type ts from 'typescript';
import type { Finding } from '../../../../base/errors/index.ts';
import { evaluate, type TokenInfo } from '../../../source/index.ts';
import { at, shownText, type InferContext } from './infer-context.ts';
import { kindsOfObject, kindsOfToken } from './kinds-of-type.ts';
import { usesOfOwnFunction } from './own-functions.ts';
import { resolveNeeds } from './resolve-needs.ts';
import { genericAsValue } from './unresolved.ts';

const functions = ['ownedBy', 'ownerReference', 'setControllerReference'];

/**
 * Owner references with blockOwnerDeletion need `update` on the finalizers of the owner's kind, where the admission plugin
 * OwnerReferencesPermissionEnforcement is on.
 */
export function addOwnerRules(context: InferContext): void {
  for (const name of functions) {
    const { calls, values } = usesOfOwnFunction(context, name);
    for (const call of calls) addOwners(context, call, name);
    for (const node of values) context.findings.push(genericAsValue(context, node));
  }
}

function addOwners(context: InferContext, call: ts.CallExpression, name: string): void {
  const { checker } = context.source;
  const [owner, resource] = call.arguments;
  const token = name === 'ownerReference' ? resource : undefined;
  if (owner === undefined) return;
  const value = token && evaluate(context.source, token);
  if (value?.type === 'token') {
    addRule(context, call, name, value.token);
    return;
  }
  const kinds =
    token === undefined
      ? kindsOfObject(context, checker.getTypeAtLocation(owner))
      : kindsOfToken(context, checker.getTypeAtLocation(token));
  const { needs, unresolved } = resolveNeeds(context, { origins: ['server'], parameters: [] }, kinds);
  for (const { kind } of needs) {
    const tokens = context.kinds.find(kind.apiVersion, kind.kind);
    for (const each of tokens) addRule(context, call, name, each);
    if (tokens.length === 0) context.findings.push(unknownOwner(context, owner, name));
  }
  for (const { reason, node } of unresolved) {
    context.findings.push(
      reason === 'generic-as-value' && node !== undefined
        ? genericAsValue(context, node)
        : unknownOwner(context, node ?? owner, name),
    );
  }
}

function addRule(context: InferContext, call: ts.Node, by: string, token: TokenInfo): void {
  context.rules.push({
    apiGroups: [token.group],
    resources: [`${token.plural}/finalizers`],
    verbs: ['update'],
    namespaced: token.namespaced,
    places: [at(context, call)],
    origin: 'call',
    by,
  });
}

function unknownOwner(context: InferContext, node: ts.Node, name: string): Finding {
  return {
    code: 'manifests/unknown-kind',
    message: `\`${name}\`: expected an owner whose type tells its kind, got \`${shownText(node)}\` of any kind`,
    where: at(context, node),
    fix: [
      "keep the type of the object: its own interface with literals, KubeObject<'apps/v1', 'Deployment'>, or a type parameter <T extends KubeObject>(owner: T)",
    ],
  };
}
