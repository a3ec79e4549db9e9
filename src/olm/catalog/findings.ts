import { type CodesOf, type Finding, type Where, isOpSdkError } from '../../base/errors/index.ts';
import { yamlLimits, parseKubernetesYaml } from '../../kubernetes/yaml/index.ts';
import type { CatalogPlace, DocumentSource } from './types.ts';
import type { JsonPath } from '../../base/util/read-json.ts';
import { documentText } from './read/parse-document.ts';

interface Noted {
  readonly code: CodesOf<'catalog'>;
  readonly place: CatalogPlace;
  readonly message: string;
  readonly fix: readonly string[];
}

/** Collects the findings of rules about a catalogue. At the end, converts paths in documents to line numbers. */
export class CatalogFindings {
  readonly #found: (Noted | Finding)[] = [];
  #left = 0;

  /** Reports a problem at a location in a document. */
  add(code: CodesOf<'catalog'>, place: CatalogPlace, message: string, ...fix: readonly string[]): void {
    this.#note({ code, place, message: clip(message), fix });
  }

  /** Adds findings that already have line numbers. */
  addAll(findings: readonly Finding[]): void {
    for (const finding of findings) this.#note({ ...finding, message: clip(finding.message) });
  }

  /** True if further findings would not be listed, because the maximum number is reached. Rules can then stop. */
  get isFull(): boolean {
    return this.#left > 0;
  }

  #note(noted: Noted | Finding): void {
    if (this.#found.length < yamlLimits.findings) this.#found.push(noted);
    else this.#left++;
  }

  /** Looks up the line numbers and returns all findings, in the order in which they were found. */
  async finish(): Promise<readonly Finding[]> {
    const findings: Finding[] = [];
    const locators = new Map<DocumentSource, ReturnType<typeof locateIn>>();
    for (const noted of this.#found) {
      if (!('place' in noted)) {
        findings.push(noted);
        continue;
      }
      const { place, ...finding } = noted;
      const [source, path] = place;
      const locator = locators.get(source) ?? locateIn(source);
      locators.set(source, locator);
      findings.push({ ...finding, where: (await locator)(path) });
    }
    const last = findings.at(-1);
    if (this.#left > 0 && last !== undefined)
      findings.push({
        code: 'io/too-large',
        message: `more than ${yamlLimits.findings} findings; the others are not listed`,
        ...(last.where === undefined ? {} : { where: last.where }),
        fix: ['correct what is listed, and run the command again'],
      });
    return findings;
  }
}

const mostCharacters = 1000;

/** Shortens a message. Messages quote file contents and may therefore be of any length. */
function clip(message: string): string {
  return message.length > mostCharacters ? `${message.slice(0, mostCharacters)}…` : message;
}

/** Reads a document again, and returns a function that finds the line number of a path in it. */
async function locateIn(source: DocumentSource): Promise<(path: JsonPath) => Where> {
  const { file, line } = source;
  const start: Where = { file, line, column: 1 };
  try {
    const [document] = parseKubernetesYaml(await documentText(source), file, { roundIntegers: true });
    if (document === undefined) return () => start;
    return (path) => {
      const where = document.locate(path);
      return { ...where, line: where.line + line - 1 };
    };
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    return () => start;
  }
}
