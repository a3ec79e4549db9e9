/**
 * Argument that denotes the manifests which the sources of the project generate now. A folder with this name must be written `./project`.
 */
export const projectWord = 'project';

/** Output format of operator-sdk, for scripts that were written for operator-sdk. */
export const alpha1 = 'json-alpha1';

/** Output format for tools that annotate code, such as those of code hosting sites. */
export const sarif = 'sarif';

/** Output format of JUnit, in which operator-sdk prints the results of tests. */
export const xunit = 'xunit';

/** Output format of JUnit, which build servers read. */
export const junit = 'junit';

/** Output format for annotations of GitHub Actions, which GitHub shows beside the lines of a pull request. */
export const github = 'github';

/** Output format with Markdown tables, for comments on pull requests. */
export const markdown = 'markdown';

/** Folder of the kustomization from which bundles are generated. */
export const manifestsFolder = 'config/manifests';

/** Shells for which op-sdk has a completion script. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
