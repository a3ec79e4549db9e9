import { builtInToken, evaluate, type SourceProgram, type TokenInfo } from '../../../source/index.ts';
import type { SourceIndex } from './source-index.ts';

/** The kinds that a project's code can name, by the literals of their types. */
export interface KindTable {
  /** All tokens of a kind: two `externalResource` may give one kind different plurals. Empty if there is none. */
  find(apiVersion: string, kind: string): readonly TokenInfo[];
}

/** Looks for kinds in the project's own declarations first, then among the built-in ones. */
export function kindTable(source: SourceProgram, index: SourceIndex): KindTable {
  let declared: Map<string, TokenInfo[]> | undefined;
  return {
    find(apiVersion, kind) {
      declared ??= declaredTokens(source, index);
      const known = declared.get(`${apiVersion} ${kind}`);
      if (known !== undefined) return known;
      const builtIn = builtInToken(source, apiVersion, kind);
      return builtIn === undefined ? [] : [builtIn];
    },
  };
}

function declaredTokens(source: SourceProgram, index: SourceIndex): Map<string, TokenInfo[]> {
  const { ts } = source;
  const found = new Map<string, TokenInfo[]>();
  const add = (token: TokenInfo): void => {
    const key = `${token.group === '' ? '' : `${token.group}/`}${token.version} ${token.kind}`;
    const known = found.get(key) ?? [];
    if (!known.some(({ plural }) => plural === token.plural)) found.set(key, [...known, token]);
  };
  // Under another name too: `import { externalResource as external }`.
  const queue = ['defineResource', 'externalResource'];
  const seen = new Set(queue);
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    for (const node of index.names.get(name) ?? []) {
      const { parent } = node;
      if (ts.isImportSpecifier(parent) && parent.name.text !== name && !seen.has(parent.name.text)) {
        seen.add(parent.name.text);
        queue.push(parent.name.text);
      }
      const callee = ts.isPropertyAccessExpression(parent) && parent.name === node ? parent : node;
      const call = callee.parent;
      if (!ts.isCallExpression(call) || call.expression !== callee) continue;
      const value = evaluate(source, call);
      if (value.type === 'token') add(value.token);
    }
  }
  return found;
}
