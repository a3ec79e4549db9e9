// docs/stability.md lists all that is public, and all that op-sdk connects to.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { layout, LAYOUT_KEY } from '../../../src/project/project/layout.ts';
import { filesBelow, repositoryRoot } from '../../helpers/source-files.ts';

const page = readFileSync(join(repositoryRoot, 'docs/stability.md'), 'utf8');

/** First cells of the table below a header, without backticks. */
function firstCells(header: string): readonly string[] {
  const lines = page.slice(page.search(new RegExp(`^\\| ${header} +\\|`, 'm'))).split('\n');
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(2, end).map((line) => (line.split('|')[1] ?? '').replaceAll('`', '').trim());
}

const sources = filesBelow('src', (path) => /\.[jt]s$/.test(path)).map(({ path, text }) => ({
  path,
  code: text.replace(/\/\*[^]*?\*\//g, '').replace(/(?<![:'"`])\/\/.*/g, ''),
}));

/** Captures of an expression in the code of src, sorted, each once. */
function found(expression: RegExp): readonly string[] {
  const all = sources.flatMap(({ code }) => [...code.matchAll(expression)].map(([, text = '']) => text));
  return [...new Set(all)].sort();
}

describe('public', () => {
  test('exports are those of package.json', () => {
    const { exports } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as {
      exports: Readonly<Record<string, unknown>>;
    };
    expect(firstCells('import')).toEqual(Object.keys(exports).map((path) => path.replace(/^\./, 'opsdk')));
  });

  test('exit codes are those of the catalogue, and 0', () => {
    const [, codes = ''] =
      /type ExitCode = ([^;]+);/.exec(
        readFileSync(join(repositoryRoot, 'src/base/errors/codes.ts'), 'utf8'),
      ) ?? [];
    expect(firstCells('exit code')).toEqual(['0', ...codes.split(' | ')]);
  });

  test('field managers are those that the code names', () => {
    const named = found(/fieldManager(?:: |=| = )['"`]?(?<=['"`=])(op-sdk[a-z-]*|\$\{[^'"`]+)/g);
    const meant: Readonly<Record<string, string>> = {
      '${manager}/${controller}': '<manager>/<controller>',
      '${name}/${controller.name}': '<manager>/<controller>',
      '${settings.service}/ca-bundle': '<service>/ca-bundle',
    };
    const listed = firstCells('field manager');
    expect([...new Set(named.map((name) => meant[name] ?? name))].sort()).toEqual(
      listed.filter((name) => name !== '<manager>').sort(),
    );
  });

  test('names with our domains are those that objects get', () => {
    const ours = found(/['`"](op-?sdk\.dev\/[a-z-]+)['`"]/g);
    expect(firstCells('name')).toHaveLength(ours.length);
    expect([...firstCells('name')].sort()).toEqual(ours);
    expect(page).toContain(`\`${LAYOUT_KEY}\``);
  });

  test('environment variables are those that the code reads', () => {
    const listed = [...page.matchAll(/`(OPSDK_[A-Z0-9_]+)`/g)].map(([, name = '']) => name);
    expect([...new Set(listed)].sort()).toEqual(found(/\b(OPSDK_[A-Z0-9]+(?:_[A-Z0-9]+)*)\b/g));
  });

  test('diagnostics channels are those that operators publish', () => {
    const listed = [...page.matchAll(/`(opsdk:[a-z]+)`/g)].map(([, name = '']) => name);
    expect([...new Set(listed)].sort()).toEqual(found(/channel\('(opsdk:[a-z]+)'\)/g));
  });

  test('paths of files are those of the layout', () => {
    const { apis, assets, permissions, role, templateOverrides, webhookConfig, webhookManifests } = layout;
    const paths = [
      ...[apis, assets, permissions, role, templateOverrides, layout.projectFile],
      `${webhookConfig}/${webhookManifests}`,
      `${layout.crd}/bases`,
    ];
    for (const path of paths) expect(page).toContain(`\`${path}\``);
  });
});

describe('connections', () => {
  test('no code uses a client of its own', () => {
    expect(sources.filter(({ code }) => /(?<![#.\w])fetch\(/.test(code)).map(({ path }) => path)).toEqual([]);
  });

  // A file more is a connection more: add it to the page.
  test('are made by files that the page covers', () => {
    const connecting = sources.filter(
      ({ path, code }) =>
        !path.startsWith('src/sdk/net/') &&
        /\b(?:createWire|download)\b[^;]*from '[^']*\/net\/index\.ts'|import \{[^}]*\b(?:connect|request)\b[^}]*\} from 'node:(?:https?|http2|net|tls)'/.test(
          code,
        ),
    );
    expect(connecting.map(({ path }) => path)).toEqual([
      // The Unix socket of its owner.
      'src/base/process/guardian-program.js',
      'src/cli/actions/import/read-sources.ts',
      'src/cluster/live/feed/operator-feed.js',
      'src/cluster/webhooks/other-configurations.ts',
      'src/images/registry/authorities.ts',
      'src/images/registry/client.ts',
      'src/olm/install/release/download-release.ts',
      'src/sdk/kube/cluster/oidc.ts',
      'src/sdk/kube/transport/body-stream.ts',
      'src/sdk/kube/transport/dial.ts',
      'src/testing/assets/download-archive.ts',
      'src/testing/control-plane/components.ts',
      'src/testing/control-plane/default-service-accounts.ts',
      // The audit that asks for nodes, on 127.0.0.1.
      'src/testing/control-plane/node-turns.ts',
      'src/testing/http/api-request.ts',
      // The Unix socket of the control plane.
      'src/testing/node/processes/program-names.js',
      'src/testing/node/processes/run-handler.ts',
      'src/testing/node/processes/service-proxies.ts',
      'src/testing/node/streaming-server.ts',
    ]);
  });

  test('to hosts that nobody named are on the page', () => {
    const hosts = sources
      .filter(({ path }) => /download-release|check-release|envtest-archive|release-archive/.test(path))
      .flatMap(({ code }) => [...code.matchAll(/'https:\/\/([a-z\d.]+)[/']/g)].map(([, host = '']) => host));
    expect(new Set(hosts).size).toBe(3);
    for (const host of hosts) expect(page).toContain(`\`${host}\``);
  });
});
