import type { OnResolveArgs, PluginBuild, ResolveResult } from 'esbuild';

/** Mark on path resolutions that plugins themselves request from esbuild, so that they do not handle them again. */
const onward = Symbol('onward');

/** Returns true for a resolution that `resolveOnward` has requested. */
export function isOnward({ pluginData }: OnResolveArgs): boolean {
  return pluginData === onward;
}

/** Resolves an import as esbuild does without the plugins that ask `isOnward`. */
export function resolveOnward(build: PluginBuild, args: OnResolveArgs): Promise<ResolveResult> {
  const { path, importer, namespace, resolveDir, kind } = args;
  return build.resolve(path, { importer, namespace, resolveDir, kind, pluginData: onward });
}
