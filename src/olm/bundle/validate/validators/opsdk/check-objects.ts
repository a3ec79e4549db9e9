import { groupOf } from '../../../../../base/util/kubernetes-words.ts';
import { installableKinds, isInstallable } from '../../../examples.ts';
import { bundleObjectName, metadataProblems, ownKinds, apiVersionProblem } from '../../owned-kinds.ts';
import type { BundleObject, Check, Report } from '../../types.ts';
import { subdomainProblem } from '../../../../../kubernetes/objects/index.ts';

/** Reports what the API server refuses in objects and operator-framework's validators do not look at; objects of which one is lost. */
export const checkObjectsFurther: Check<'opsdk'> = ({ objects }, report) => {
  const seen = new Map<string, BundleObject>();
  for (const object of objects) {
    if (object.kind === '') continue;
    checkApiVersion(object, report);
    checkMetadata(object, report);
    const id = JSON.stringify([groupOf(object.apiVersion), object.kind, object.name]);
    const first = seen.get(id);
    seen.set(id, first ?? object);
    if (first === undefined || object.name === '' || ownKinds.includes(object.kind)) continue;
    report.warn(
      'bundle/duplicate-object',
      [object, ['metadata', 'name']],
      `${bundleObjectName(object)} is in ${first.file}, too; OLM installs one of them and loses the other`,
      'remove or rename one of the two',
    );
  }
};

function checkApiVersion(object: BundleObject, { error, warn }: Report<'opsdk'>): void {
  const { apiVersion, kind, name } = object;
  if (ownKinds.includes(kind)) return;
  if (apiVersion === '') {
    const message = `the ${kind} ${name} has no apiVersion, so the API server will refuse it`;
    error('io/not-an-object', [object, []], message, 'write its apiVersion');
    return;
  }
  const problem = apiVersionProblem(apiVersion);
  if (problem !== undefined)
    error('bundle/invalid-metadata', [object, ['apiVersion']], `apiVersion: ${problem}`, 'correct it');
  else if (installableKinds.includes(kind) && !isInstallable({ apiVersion, kind })) {
    const message = `${apiVersion} ${kind} has the name of a kind that OLM installs, but another group`;
    const fix = 'let the operator create the object when it runs, or correct the apiVersion';
    warn('bundle/kind-not-supported', [object, ['apiVersion']], message, fix);
  }
}

function checkMetadata(object: BundleObject, { error }: Report<'opsdk'>): void {
  const isOwn = ownKinds.includes(object.kind);
  const problem = isOwn || object.name === '' ? undefined : objectNameProblem(object);
  if (problem !== undefined) {
    const message = `the name of ${bundleObjectName(object)} is not valid: ${problem}`;
    error('bundle/invalid-metadata', [object, ['metadata', 'name']], message, 'choose another name');
  }
  // The labels and annotations of definitions are judged with them.
  if (object.kind === 'CustomResourceDefinition') return;
  for (const { path, message, fix, ofType } of metadataProblems(object))
    if (isOwn || ofType === true)
      error('bundle/invalid-metadata', [object, ['metadata', ...path]], message, fix);
}

/** Returns the fault of an object's name; undefined if it is valid. Definitions and ClusterServiceVersions have rules of their own. */
function objectNameProblem({ apiVersion, name }: BundleObject): string | undefined {
  // Names of roles and their bindings may hold anything but what a path cannot. Source: rbac `ValidateRBACName`.
  const isRole = groupOf(apiVersion) === 'rbac.authorization.k8s.io';
  return isRole ? segmentProblem(name) : subdomainProblem(name);
}

function segmentProblem(name: string): string | undefined {
  if (name === '.' || name === '..') return `it is ${name}`;
  return /[/%]/.test(name) ? 'it holds "/" or "%"' : undefined;
}
