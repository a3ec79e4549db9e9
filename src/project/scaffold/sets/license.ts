import { boilerplate, licenses, spdxOf, type License } from '../boilerplate.ts';

/** The licence and owner that a header of ours is made from. */
export interface HeaderTerms {
  readonly license: License;
  readonly owner: string | undefined;
}

/** Reads licence and owner from a project's header; undefined for a text that is not one of ours. */
export function readHeader(text: string): HeaderTerms | undefined {
  const header = text.replaceAll('\r\n', '\n').trimEnd();
  const owner = /^Copyright (.+)\.$/m.exec(header)?.[1];
  const license = licenses.find((each) => boilerplate(each, owner) === header);
  return license === undefined ? undefined : { license, owner };
}

/** The file with the header of new source files. */
export function headerFile({ license, owner }: HeaderTerms): string {
  return `${boilerplate(license, owner)}\n`;
}

/**
 * The text of package.json with another licence, if it has one of ours.
 * @returns undefined if it has another one, or none
 */
export function withLicense(packageJson: string, license: License): string | undefined {
  const ours = Object.values(spdxOf).join('|');
  const pattern = new RegExp(`^(\\s*"license"\\s*:\\s*)"(?:${ours})"`, 'm');
  return pattern.test(packageJson)
    ? packageJson.replace(pattern, (_, key: string) => `${key}${JSON.stringify(spdxOf[license])}`)
    : undefined;
}
