import type { Finding, FindingList } from '../errors/index.ts';
import { isMap, isScalar, type ParsedNode, type YAMLMap } from '../yaml/tree.ts';
import type { NameCheck } from './names.ts';

interface StringRule {
  readonly required?: boolean;
  readonly check?: NameCheck;
}

/** Reads typed values out of a YAML tree and notes where they are missing or wrong. */
export class YamlReader {
  readonly findings: FindingList;
  readonly #where: (offset: number) => Finding['where'];

  constructor(findings: FindingList, where: (offset: number) => Finding['where']) {
    this.findings = findings;
    this.#where = where;
  }

  node(map: YAMLMap.Parsed, key: string): ParsedNode | undefined {
    const pair = map.items.find((item) => isScalar(item.key) && item.key.value === key);
    const value = pair?.value ?? undefined;
    return isScalar(value) && value.value === null ? undefined : value;
  }

  string(map: YAMLMap.Parsed, key: string, owner: string, rule: StringRule = {}): string | undefined {
    const node = this.node(map, key);
    if (node === undefined) {
      if (rule.required === true) this.fail('project/invalid', `${owner} has no ${key}`, map, [`add ${key}`]);
      return undefined;
    }
    if (!isScalar(node) || typeof node.value !== 'string') {
      const fix = isScalar(node) ? [`write ${key}: "${String(node.value)}"`] : undefined;
      this.fail('project/invalid', `${this.#name(owner, key)} must be a string`, node, fix);
      return undefined;
    }
    const problem = rule.check?.(node.value);
    if (problem !== undefined) {
      this.fail(
        'project/invalid',
        `${this.#name(owner, key)} is ${JSON.stringify(node.value)}: ${problem}`,
        node,
      );
    }
    return node.value;
  }

  boolean(map: YAMLMap.Parsed, key: string, owner: string): boolean | undefined {
    const node = this.node(map, key);
    if (node === undefined) return undefined;
    if (isScalar(node) && typeof node.value === 'boolean') return node.value;
    this.fail('project/invalid', `${this.#name(owner, key)} must be true or false`, node);
    return undefined;
  }

  map(map: YAMLMap.Parsed, key: string, owner: string): YAMLMap.Parsed | undefined {
    const node = this.node(map, key);
    if (node === undefined || isMap(node)) return node;
    this.fail('project/invalid', `${this.#name(owner, key)} must be a map`, node);
    return undefined;
  }

  fail(
    code: Finding['code'],
    message: string,
    node: ParsedNode | undefined,
    fix: readonly string[] = ['correct it in PROJECT'],
  ): void {
    const where = this.#where(node?.range[0] ?? 0);
    this.findings.add({ code, message, fix, ...(where === undefined ? {} : { where }) });
  }

  #name(owner: string, key: string): string {
    return owner === 'PROJECT' ? key : `${owner}.${key}`;
  }
}
