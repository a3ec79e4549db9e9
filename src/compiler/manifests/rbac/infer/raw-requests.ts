import type ts from 'typescript';
import type { Finding } from '../../../../base/errors/index.ts';
import type { PolicyRule } from '../needed-rule.ts';
import type { ClientCall } from './find-calls.ts';
import { at, bare, shownText, type InferContext } from './infer-context.ts';
import { isJudged, originsThrough } from './resolve-needs.ts';
import { permittedFix } from './unresolved.ts';

/** Placeholder for a part of a path that is known only at run time. */
const hole = '\u0000';

/** Part of a request that cannot be determined, with a description of the expected form. */
interface Unclear {
  readonly node: ts.Node;
  readonly expected: string;
  readonly fix: string;
}

/** Adds the rule that a raw request needs. Derives it from the path and the method of the request. */
export function judgeRawRequest(context: InferContext, { call, method, trace }: ClientCall): void {
  if (!originsThrough(context, trace()).some(isJudged)) return;
  const [argument] = call.arguments;
  const rule = argument === undefined ? unclearPath(call) : ruleOf(context, argument);
  if ('expected' in rule) {
    context.findings.push(unknownRequest(context, rule));
    return;
  }
  context.rules.push({ ...rule, places: [at(context, call)], origin: 'call', by: method });
}

function ruleOf(context: InferContext, argument: ts.Expression): PolicyRule | Unclear {
  const { ts } = context.source;
  const node = bare(context, argument);
  if (!ts.isObjectLiteralExpression(node)) return unclearPath(argument);
  const values = new Map<string, ts.Expression>();
  for (const member of node.properties) {
    if (ts.isPropertyAssignment(member) && ts.isIdentifier(member.name))
      values.set(member.name.text, member.initializer);
    else if (ts.isShorthandPropertyAssignment(member)) values.set(member.name.text, member.name);
    else return unclearPath(argument);
  }
  const method = literalOf(context, values.get('method')) ?? (values.has('method') ? undefined : 'GET');
  const path = pathOf(context, values.get('path'));
  if (method === undefined || path === undefined) return unclearPath(argument);
  const query = values.get('query');
  const names = query === undefined ? new Set<string>() : keysOfValue(context, query);
  const ofPath = queryNames(path);
  // Only read requests can be watches, so an unclear query matters only for them.
  const isRead = verbs[method.toUpperCase()] === undefined && method.toUpperCase() !== 'DELETE';
  if (isRead && query !== undefined && names === undefined) return unclearQuery(query);
  if (ofPath === undefined) return unclearPath(argument);
  const rule = ruleOfRequest(method.toUpperCase(), path, {
    watches: names?.has('watch') === true || ofPath.includes('watch'),
    applies: mayApply(context, values),
  });
  return rule ?? unclearPath(argument);
}

/** True if the request may be a server-side apply, which creates the object if it does not exist. */
function mayApply(context: InferContext, values: ReadonlyMap<string, ts.Expression>): boolean {
  const headers = values.get('headers');
  const names = headers === undefined ? [] : keysOfValue(context, headers);
  if (names === undefined || [...names].some((name) => name.toLowerCase() === 'content-type')) return true;
  const type = values.get('contentType');
  return type !== undefined && literalOf(context, type)?.startsWith('application/apply-patch') !== false;
}

/** Returns the parameter names in the query of a path. Undefined if a name may be known only at run time. */
function queryNames(path: string): readonly string[] | undefined {
  const [, query = ''] = path.split(/\?(.*)/s);
  const names = query.split('&').map((part) => part.split('=', 1)[0] ?? '');
  return names.some((name) => name.includes(hole)) ? undefined : names;
}

function literalOf(
  { source: { checker } }: InferContext,
  node: ts.Expression | undefined,
): string | undefined {
  const type = node && checker.getTypeAtLocation(node);
  return type?.isStringLiteral() === true ? type.value : undefined;
}

/** Returns the path of a request. Values that are known only at run time are replaced by the placeholder `hole`. */
function pathOf(context: InferContext, node: ts.Expression | undefined): string | undefined {
  const { ts } = context.source;
  if (node === undefined) return undefined;
  const text = bare(context, node);
  if (!ts.isTemplateExpression(text)) return literalOf(context, text);
  return text.templateSpans.reduce(
    (path, { expression, literal }) => `${path}${literalOf(context, expression) ?? hole}${literal.text}`,
    text.head.text,
  );
}

const verbs: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch' };

/**
 * Returns the permission that a request needs. Source: Kubernetes apiserver `RequestInfoFactory`.
 *
 * @param method HTTP method in capitals
 * @param path path with the placeholder `hole` for each value that is known only at run time
 * @param asked true or false for two questions: is the request a watch, and may a PATCH be a server-side apply
 * @returns undefined if the permission depends on a placeholder
 */
function ruleOfRequest(
  method: string,
  path: string,
  asked: { readonly watches: boolean; readonly applies: boolean },
): PolicyRule | undefined {
  const [root, ...rest] = (path.split('?', 1)[0] ?? '').split('/').filter((part) => part !== '');
  const group = root === 'apis' ? rest.shift() : '';
  const isResource = (root === 'api' || root === 'apis') && rest.length > 1;
  if (!isResource || group === undefined) {
    const url = path.split('?', 1)[0] ?? '';
    return url.includes(hole) || !url.startsWith('/')
      ? undefined
      : { nonResourceURLs: [url], verbs: [method.toLowerCase()] };
  }
  const [, ...all] = rest;
  // Paths of the legacy form of watches begin with `watch`.
  const isWatch = all[0] === 'watch' && all.length > 1;
  const parts = isWatch ? all.slice(1) : all;
  // A request to a namespace itself, or to its subresources, is not a request for an object inside of this namespace.
  const isInside =
    parts[0] === 'namespaces' && parts.length > 2 && !['status', 'finalize'].includes(parts[2] ?? '');
  const [resource = '', name, subresource] = isInside ? parts.slice(2) : parts;
  if ([group, resource, subresource ?? ''].some((part) => part.includes(hole))) return undefined;
  const isOne = name !== undefined;
  const collection = asked.watches ? ['list', 'watch'] : ['list'];
  const read = isWatch ? ['watch'] : isOne ? ['get'] : collection;
  const removed = isOne ? 'delete' : 'deletecollection';
  const verb = method === 'DELETE' ? removed : verbs[method];
  // A server-side apply to a subresource creates no object, so it does not need `create`.
  const also = method === 'PATCH' && asked.applies && subresource === undefined ? ['create'] : [];
  return {
    apiGroups: [group],
    resources: [subresource === undefined ? resource : `${resource}/${subresource}`],
    verbs: verb === undefined ? read : [verb, ...also],
  };
}

function unclearPath(node: ts.Node): Unclear {
  return {
    node,
    expected: 'a literal method and path, apart from namespaces and names',
    fix: 'write the path in the call: { path: `/api/v1/namespaces/${namespace}/pods/${name}/log` }',
  };
}

function unclearQuery(node: ts.Node): Unclear {
  return {
    node,
    expected: 'a query whose type names its keys, since `watch` needs a permission of its own',
    fix: "write the keys in the call: { path, query: { labelSelector, watch: 'true' } }",
  };
}

function unknownRequest(context: InferContext, { node, expected, fix }: Unclear): Finding {
  return {
    code: 'manifests/unknown-request',
    message: `\`raw.request\`: expected ${expected}, got \`${shownText(node)}\``,
    where: at(context, node),
    fix: [fix, permittedFix("{ groups: [''], resources: ['pods/log'], verbs: ['get'] }")],
  };
}

/** Returns the keys that an object may have at run time. Undefined if its type does not name all keys. */
function keysOfValue(context: InferContext, value: ts.Expression): ReadonlySet<string> | undefined {
  const { ts, checker } = context.source;
  const node = bare(context, value);
  if (!ts.isObjectLiteralExpression(node)) return keysOfType(context, checker.getTypeAtLocation(value));
  const keys = new Set<string>();
  for (const member of node.properties) {
    const more = ts.isSpreadAssignment(member)
      ? keysOfValue(context, member.expression)
      : keyOfName(context, member.name);
    if (more === undefined) return undefined;
    for (const key of more) keys.add(key);
  }
  return keys;
}

function keyOfName(
  { source: { ts, checker } }: InferContext,
  name: ts.PropertyName,
): readonly string[] | undefined {
  if (!ts.isComputedPropertyName(name)) return [name.text];
  const type = checker.getTypeAtLocation(name.expression);
  return type.isStringLiteral() ? [type.value] : undefined;
}

function keysOfType(context: InferContext, type: ts.Type): ReadonlySet<string> | undefined {
  const { ts, checker } = context.source;
  const keys = new Set<string>();
  for (const each of type.isUnion() ? type.types : [type]) {
    // A spread or passed value of undefined, null or a boolean adds no keys.
    if ((each.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.BooleanLiteral)) !== 0)
      continue;
    if ((each.flags & ts.TypeFlags.Object) === 0 || checker.getIndexInfosOfType(each).length > 0)
      return undefined;
    for (const { name } of checker.getPropertiesOfType(each)) keys.add(name);
  }
  return keys;
}
