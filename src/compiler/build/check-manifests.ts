import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isOpSdkError, type Finding, type FindingList } from '../../base/errors/index.ts';
import type { ManifestCall, ProjectBoundary, TokenInfo } from '../schema/index.ts';
import type { FileView } from '../../base/util/observe-files.ts';
import { errnoOf, errnoText } from '../../base/util/fs.ts';
import { parseYaml, type YamlDocument } from '../../kubernetes/yaml/index.ts';
import type { ValuePath } from '../../kubernetes/objects/index.ts';
import { checkObject, type SchemaLookup } from './check-object.ts';

/** A `loadManifest` call whose manifest has been read and checked. */
export interface CheckedManifest {
  readonly call: ManifestCall;
  /** Path of the manifest, relative to the project, with forward slashes. */
  readonly path: string;
  readonly value: unknown;
}

interface CheckedManifests {
  readonly manifests: readonly CheckedManifest[];
  readonly warnings: readonly Finding[];
}

/**
 * Reads the file of every `loadManifest` call and checks its object against the schema of its kind.
 * @param boundary boundary of the project. Files outside of it are not read
 * @param files observes each manifest file before the file is read
 */
export function checkManifests(
  findings: FindingList,
  projectDir: string,
  boundary: ProjectBoundary,
  calls: readonly ManifestCall[],
  schemaOf: SchemaLookup,
  files?: FileView,
): CheckedManifests {
  const warnings: Finding[] = [];
  const manifests = calls.flatMap((call): readonly CheckedManifest[] => {
    const token = readToken(findings, call);
    const file = readPath(findings, projectDir, boundary, call);
    if (file !== undefined) files?.readFile(path.join(projectDir, file));
    const document = file === undefined ? undefined : readDocument(findings, projectDir, file, call);
    if (token === undefined || file === undefined || document === undefined) return [];
    if (!checkKind(findings, document, token, call)) return [];
    const schema = schemaOf(token);
    if (schema === undefined) warnings.push(unchecked(file, token, call));
    else {
      for (const mismatch of checkObject(document.value, schema)) {
        const { code, path: at, message, fix } = mismatch;
        const finding: Finding = {
          code,
          message: `${message}${loadedAt(call)}`,
          where: document.locate(at),
          fix: [fix],
        };
        if (mismatch.certain) findings.add(finding);
        else warnings.push(finding);
      }
    }
    return [{ call, path: file, value: document.value }];
  });
  return { manifests, warnings };
}

function loadedAt(call: ManifestCall): string {
  return ` (loaded at ${call.place.file}:${call.place.line})`;
}

function invalidCall(message: string, where: ManifestCall['place'], fix: string): Finding {
  return { code: 'build/invalid-manifest-call', message, where, fix: [fix] };
}

function readToken(findings: FindingList, { resource, place }: ManifestCall): TokenInfo | undefined {
  if (resource?.type === 'token') return resource.token;
  const reason = resource?.type === 'opaque' ? `: ${resource.finding.message}` : '';
  const fix = 'name a kind of opsdk/k8s/<group>/<version>, or a `const` of defineResource';
  findings.add(
    invalidCall(
      `the resource of loadManifest cannot be read from the source${reason}`,
      resource?.place ?? place,
      fix,
    ),
  );
  return undefined;
}

function readPath(
  findings: FindingList,
  projectDir: string,
  boundary: ProjectBoundary,
  call: ManifestCall,
): string | undefined {
  const written = call.path;
  const fix = "write it as a literal: loadManifest(Deployment, 'assets/web.yaml')";
  if (written?.type !== 'scalar' || typeof written.value !== 'string' || written.value === '') {
    const reason = written?.type === 'opaque' ? `: ${written.finding.message}` : '';
    findings.add(
      invalidCall(
        `the path of loadManifest cannot be read from the source${reason}`,
        written?.place ?? call.place,
        fix,
      ),
    );
    return undefined;
  }
  const normal = path.posix.normalize(written.value.replaceAll('\\', '/'));
  const isElsewhere = path.isAbsolute(written.value) || normal === '..' || normal.startsWith('../');
  if (isElsewhere || !boundary.holds(path.join(projectDir, normal))) {
    findings.add(
      invalidCall(
        `the path '${written.value}' of loadManifest leads out of the project`,
        written.place,
        "put the file below the project's folder, not a link to one elsewhere",
      ),
    );
    return undefined;
  }
  return normal;
}

function readDocument(
  findings: FindingList,
  projectDir: string,
  file: string,
  call: ManifestCall,
): YamlDocument | undefined {
  try {
    return parseYaml(readFileSync(path.join(projectDir, file), 'utf8'), file);
  } catch (error) {
    if (isOpSdkError(error)) {
      findings.add(
        ...error.findings.map((finding) => ({
          ...finding,
          message: `${finding.message}${loadedAt(call)}`,
        })),
      );
    } else if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(errnoOf(error) ?? '')) {
      const message =
        errnoOf(error) === 'EISDIR' ? `${file} is a folder, not a file` : `the project has no file ${file}`;
      findings.add({
        code: 'build/manifest-not-found',
        message,
        where: call.path?.place ?? call.place,
        fix: ['write the path relative to the folder of the project'],
      });
    } else if (errnoOf(error) !== undefined) {
      findings.add({
        code: 'io/cannot-read',
        message: `${file} cannot be read: ${errnoText(error)}${loadedAt(call)}`,
        where: { file },
        fix: ['make the file readable'],
      });
    } else throw error;
    return undefined;
  }
}

/** Checks that a file has the apiVersion and kind that the token in its `loadManifest` call has. */
function checkKind(
  findings: FindingList,
  document: YamlDocument,
  token: TokenInfo,
  call: ManifestCall,
): boolean {
  const apiVersion = token.group === '' ? token.version : `${token.group}/${token.version}`;
  const { value } = document;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    findings.add({
      code: 'build/manifest-kind',
      message: `the file holds no object${loadedAt(call)}`,
      where: document.locate([]),
      fix: [`write a manifest with apiVersion: ${apiVersion} and kind: ${token.kind}`],
    });
    return false;
  }
  const expected = { apiVersion, kind: token.kind };
  const wrong = Object.entries(expected).filter(
    ([name, text]) => (value as Record<string, unknown>)[name] !== text,
  );
  for (const [name, text] of wrong) {
    const found = (value as Record<string, unknown>)[name];
    const at: ValuePath = found === undefined ? [] : [name];
    findings.add({
      code: 'build/manifest-kind',
      message: `${name} is ${found === undefined ? 'missing' : JSON.stringify(found)}, but loadManifest expects ${text}${loadedAt(call)}`,
      where: document.locate(at),
      fix: [`write \`${name}: ${text}\`, or pass another resource to loadManifest`],
    });
  }
  return wrong.length === 0;
}

function unchecked(file: string, token: TokenInfo, call: ManifestCall): Finding {
  return {
    code: 'build/unchecked-manifest',
    message: `${file}: only apiVersion and kind were checked, as op-sdk does not know the fields of ${token.kind} (${token.group}/${token.version})`,
    where: call.place,
    fix: ['declare the kind with defineResource, or check the file by hand'],
  };
}
