import type ts from 'typescript';
import type { Finding } from '../../../../base/errors/index.ts';
import { at, shownText, type InferContext } from './infer-context.ts';

/** Fix that states the permissions of a call by hand. */
export function permittedFix(rule: string): string {
  return `or state what it needs: permitted(client, [${rule}])`;
}

const anyRule = "{ groups: ['…'], resources: ['…'], verbs: ['…'] }";

/** A call whose kind is determined neither by its type nor by its value. */
export function undecidedKind(
  context: InferContext,
  node: ts.Node,
  method: string,
  verbs: readonly string[],
): Finding {
  const list = verbs.map((verb) => `'${verb}'`).join(', ');
  return {
    code: 'manifests/unknown-kind',
    message: `\`${method}\`: expected a kind that is known from the type, got \`${shownText(node)}\` of any kind`,
    where: at(context, node),
    fix: [
      'keep the type of the kind: Resource<Pod>, or a type parameter <T extends KubeObject>(kind: Resource<T>), in the place of Resource',
      permittedFix(`{ groups: ['…'], resources: ['…'], verbs: [${list}] }`),
    ],
  };
}

/** A kind whose type is only asserted. */
export function claimedKind(context: InferContext, node: ts.Node, method: string): Finding {
  return {
    code: 'manifests/asserted-kind',
    message: `\`${method}\`: expected a kind whose type is known, got \`${shownText(node)}\`, which may be of another kind`,
    where: at(context, node),
    fix: ['remove the assertion, or give the value its own type', permittedFix(anyRule)],
  };
}

/** A generic function whose kinds are unknown, since its calls are. */
export function genericAsValue(context: InferContext, node: ts.Node): Finding {
  return {
    code: 'manifests/generic-as-value',
    message: `\`${shownText(node)}\` takes kinds as a type parameter and is handed on as a value: the kinds that it is called with are unknown`,
    where: at(context, node),
    fix: [`call it where it is handed on: (kind) => ${shownText(node)}(kind)`, permittedFix(anyRule)],
  };
}

/** A method of a client that is chosen at run time, bound or passed on. */
export function indirectCall(context: InferContext, node: ts.Node, text: string): Finding {
  return {
    code: 'manifests/indirect-call',
    message: `\`${text}\`: expected a call of a method of the client by its name, got a method as a value`,
    where: at(context, node),
    fix: ['call it in a function of its own: (kind, key) => client.delete(kind, key)', permittedFix(anyRule)],
  };
}

/** A client that is passed to code that cannot be followed. */
export function clientEscapes(context: InferContext, node: ts.Node, reason: string): Finding {
  return {
    code: 'manifests/client-escapes',
    message: `\`${shownText(node)}\` is, or holds, a client and goes ${reason}: what is done with it there cannot be read`,
    where: at(context, node),
    fix: [
      `state what is done with it there: permitted(client, [${anyRule}])`,
      'or give a function that makes the calls: (kind, key) => client.delete(kind, key)',
    ],
  };
}

/** A function that receives a client but does not declare it as one. */
export function looseFunction(context: InferContext, node: ts.Node, reason: string): Finding {
  return {
    code: 'manifests/client-escapes',
    message: `${reason}: what is done with it there cannot be read`,
    where: at(context, node),
    fix: [
      'give the parameter the type of the client: (client: ControllerClient) => …',
      `or state what is done with it where it is handed over: permitted(client, [${anyRule}])`,
    ],
  };
}
