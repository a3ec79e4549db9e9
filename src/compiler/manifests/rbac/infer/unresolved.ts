import type ts from 'typescript';
import type { Finding } from '../../../../base/errors/index.ts';
import { at, shownText, type InferContext } from './infer-context.ts';

/** Returns a fix that advises to state the permissions of a call by hand. */
export function permittedFix(rule: string): string {
  return `or state what it needs: permitted(client, [${rule}])`;
}

const anyRule = "{ groups: ['…'], resources: ['…'], verbs: ['…'] }";

/** Creates a finding for a call whose kind neither its type nor its value determines. */
export function undecidedKind(
  context: InferContext,
  node: ts.Node,
  method: string,
  verbs: readonly string[],
): Finding {
  const list = verbs.map((verb) => `'${verb}'`).join(', ');
  return {
    code: 'manifests/unknown-kind',
    message: `\`${method}\`: expected an argument whose TypeScript type determines the kind, got \`${shownText(node)}\`, which may be any kind`,
    where: at(context, node),
    fix: [
      'keep the type of the kind: Resource<Pod>, or a type parameter <T extends KubeObject>(kind: Resource<T>), in the place of Resource',
      permittedFix(`{ groups: ['…'], resources: ['…'], verbs: [${list}] }`),
    ],
  };
}

/** Creates a finding for a kind whose type comes only from an assertion. */
export function claimedKind(context: InferContext, node: ts.Node, method: string): Finding {
  return {
    code: 'manifests/asserted-kind',
    message: `\`${method}\`: expected a kind that follows from the type, got \`${shownText(node)}\`, whose type is only asserted: the value may be of another kind`,
    where: at(context, node),
    fix: ['remove the assertion, or give the value its own type', permittedFix(anyRule)],
  };
}

/** Creates a finding for a generic function that is used as a value. Its calls are unknown, and therefore also its kinds. */
export function genericAsValue(context: InferContext, node: ts.Node): Finding {
  return {
    code: 'manifests/generic-as-value',
    message: `the generic function \`${shownText(node)}\` is passed on as a value, so op-sdk cannot determine the kinds that it is called with`,
    where: at(context, node),
    fix: [`call it where it is handed on: (kind) => ${shownText(node)}(kind)`, permittedFix(anyRule)],
  };
}

/** Creates a finding for a client method that is chosen at run time, bound or passed on. */
export function indirectCall(context: InferContext, node: ts.Node, text: string): Finding {
  return {
    code: 'manifests/indirect-call',
    message: `\`${text}\`: expected a call of a method of the client by its name, got a method as a value`,
    where: at(context, node),
    fix: [
      'call the method in a function of its own: (kind, key) => client.delete(kind, key)',
      permittedFix(anyRule),
    ],
  };
}

/** Creates a finding for a client that is passed to code in which it cannot be followed. */
export function clientEscapes(context: InferContext, node: ts.Node, reason: string): Finding {
  return {
    code: 'manifests/client-escapes',
    message: `\`${shownText(node)}\`, which is or contains a client, goes ${reason}: op-sdk cannot determine what is done with the client there`,
    where: at(context, node),
    fix: [
      `state what is done with it there: permitted(client, [${anyRule}])`,
      'or give a function that makes the calls: (kind, key) => client.delete(kind, key)',
    ],
  };
}

/** Creates a finding for a function that receives a client but does not declare its parameter as one. */
export function looseFunction(context: InferContext, node: ts.Node, reason: string): Finding {
  return {
    code: 'manifests/client-escapes',
    message: `${reason}: op-sdk cannot determine what is done with the client there`,
    where: at(context, node),
    fix: [
      'give the parameter the type of the client: (client: ControllerClient) => …',
      `or state what is done with it where it is handed over: permitted(client, [${anyRule}])`,
    ],
  };
}
