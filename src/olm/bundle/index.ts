/**
 * Bundles, the form in which OLM installs operators: the base ClusterServiceVersion that people describe the operator in,
 * and the bundle that follows from it and from the objects of the operator. Pure up to the texts of files; what OLM would
 * install otherwise than it is meant is refused, with all findings at once. `validate/` judges bundles that are there,
 * and `scorecard/` runs operator-sdk's tests of them.
 */
export { checkFolderSize } from './check-folder-size.ts';
export { checkPlanned } from './check-planned.ts';
export { DEFAULT_IMAGE } from './deployments.ts';
export { describedBy, mergeBase, newBase } from './base-csv.ts';
export { descriptionQuestions, type DescriptionQuestion, type OperatorDescription } from './description.ts';
export { generateBundle, type BundleInput, type GeneratedBundle } from './generate-bundle.ts';
export { ownedKinds, type OwnedKind } from './owned-kinds.ts';
export { namedImages, pinImages, type ImagePins } from './pin-images.ts';
export { readMetadataSources } from './metadata-files.ts';
export { packageDescription } from './package-description.ts';
export { readIcon } from './read-icon.ts';
export { ownAnnotations, planBundle, writtenCreatedAt, type BundlePlan } from './plan-bundle.ts';
export { releaseFields, type ReleaseFields } from './release-fields.ts';
export { renderBundle, type RenderedBundle } from './render-bundle.ts';
export { planPublish } from './publish/plan-publish.ts';
export type { ConfiguredTest } from './scorecard/configuration.ts';
export {
  checkBuiltIns,
  refuseStorage,
  customTestsOf,
  planScorecard,
  testsOf,
} from './scorecard/plan-scorecard.ts';
export { readResults } from './scorecard/read-results.ts';
export {
  notRunFinding,
  resultWithoutCluster,
  runScorecard,
  testNameOf,
  type ScorecardTest,
} from './scorecard/run-scorecard.ts';
export type { TestResult } from './scorecard/test-result.ts';
export { validateBundle, type BundleVerdict, type ValidateOptions } from './validate/validate-bundle.ts';
