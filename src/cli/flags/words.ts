/** Denotes the manifests that the sources of the project generate now. A folder of this name is written `./project`. */
export const projectWord = 'project';

/** The format of operator-sdk, for scripts that were written for it. */
export const alpha1 = 'json-alpha1';

/** Output format for tools that annotate code, such as those of code hosting sites. */
export const sarif = 'sarif';

/** The form of JUnit, in which operator-sdk prints the results of tests. */
export const xunit = 'xunit';

/** Annotations of GitHub Actions, shown beside the lines of a pull request. */
export const github = 'github';

/** Tables for comments of pull requests. */
export const markdown = 'markdown';

/** The kustomization that bundles are made from. */
export const manifestsFolder = 'config/manifests';

/** The shells that can complete op-sdk. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
