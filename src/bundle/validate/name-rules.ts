/** The names of Kubernetes, for words that follow "is not valid: "; those of CustomResourceDefinitions follow the same rules. */
export { labelValueProblem, qualifiedNameProblem, subdomainProblem } from '../../crd/names.ts';
