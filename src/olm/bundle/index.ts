/**
 * Creates and checks bundles, the form in which OLM installs operators. People describe the operator in a base ClusterServiceVersion; the
 * bundle is derived from this base and from the objects of the operator. This is pure, except for rendering files. Input that OLM would not
 * install as intended is refused, with all findings at once. `validate/` checks existing bundles, and `scorecard/` runs operator-sdk's
 * tests of bundles.
 */
export { bundleCodes } from './codes.ts';
export { checkFolderSize } from './check-folder-size.ts';
export { checkPlanned, renderBundle, type RenderedBundle } from './check-planned.ts';
export { DEFAULT_IMAGE } from './deployments.ts';
export { describedBy, mergeBase, newBase } from './base-csv.ts';
export { descriptionQuestions, type DescriptionQuestion, type OperatorDescription } from './description.ts';
export { generateBundle, type BundleInput, type GeneratedBundle } from './generate-bundle.ts';
export { ownedKinds, type OwnedKind } from './examples.ts';
export { namedImages, pinImages, type ImagePins } from './pin-images.ts';
export { readMetadataSources, bundleDockerfile, releaseFields, type ReleaseFields } from './metadata.ts';
export { declaredReader, packageDescription } from './package-description.ts';
export { readIcon } from './icon-format.ts';
export { ownAnnotations, planBundle, writtenCreatedAt, type BundlePlan } from './plan-bundle.ts';
export { planPublish } from './publish/plan-publish.ts';
export { configurationReader, type ConfiguredTest, type TestResult } from './scorecard/configuration.ts';
export {
  checkBuiltIns,
  refuseStorage,
  customTestsOf,
  planScorecard,
  testsOf,
} from './scorecard/plan-scorecard.ts';
export {
  readResults,
  notRunFinding,
  resultWithoutCluster,
  runScorecard,
  testNameOf,
  type ScorecardTest,
} from './scorecard/read-results.ts';
export {
  validateBundle,
  type BundleVerdict,
  type ValidateOptions,
  passes,
} from './validate/validate-bundle.ts';
export { jsonTextOf as textOf, jsonListOf as listOf, jsonMapOf as mapOf } from '../../base/util/json-map.ts';
export { planPreview, previewSite, type PreviewSite } from './preview/preview-site.ts';
export { readBundleMetadata, type BundleMetadata } from './read-metadata.ts';
export { annotationKeys, annotationOf } from './validate/annotations.ts';
export { imageNameProblem } from './validate/image-name.ts';

export { supportedModes, csvDeployments, minKubeVersionOf } from './validate/csv-fields.ts';
export { shapeProblems } from './validate/csv-shape/shape-problems.ts';
export { fieldAt, textsOf, fieldName } from './validate/fields.ts';
export {
  collectFindings,
  type BundleResult,
  type FindingCollector,
  joinResults,
  type JoinedFinding,
  countedErrors,
  isCountedError,
} from './validate/findings/collect-findings.ts';
export { loadBundle } from './validate/load-bundle.ts';
export { allRules, validateCodes, type RuleOfValidator } from './validate/rules/index.ts';
export {
  validatorInfo,
  validatorNames,
  type ValidatorName,
  optionalValidators,
  offlineValidators,
} from './validate/rules/validators.ts';
export { isSemver, isRelease, isVersionRange } from './validate/semver.ts';
export type { BundleObject, LoadedBundle } from './validate/types.ts';
export { findLoop } from './publish/catalogue-version.ts';
