import { describe, expect, it } from 'vitest';
import { detectPackageManager } from '../../../../src/project/project/index.ts';
import { boilerplate } from '../../../../src/project/scaffold/sets/license.ts';
import { lineDiff } from '../../../../src/base/util/diffs.ts';

describe('boilerplate', () => {
  it('says who owns the files and under which licence, as far as there is something to say', () => {
    expect(boilerplate('none', undefined)).toBe('');
    expect(boilerplate('none', "O'Hara */")).toBe("Copyright O'Hara */.");
    expect(boilerplate('apache2', undefined)).toMatch(/^Licensed under the Apache License, Version 2\.0/);
    expect(boilerplate('apache2', 'us')).toMatch(/^Copyright us\.\n\nLicensed/);
  });
});

describe('detectPackageManager', () => {
  it.each([
    ['npm/11.4.2 node/v24.0.0 linux x64 workspaces/false', 'npm', 'npx --no'],
    ['pnpm/9.1.0 npm/? node/v20.0.0 linux x64', 'pnpm', 'pnpm exec'],
    ['yarn/4.2.2 npm/? node/v20.0.0 linux x64', 'yarn', 'yarn'],
    ['bun/1.1.0 npm/? node/v20.0.0 linux x64', 'bun', 'bun run'],
    ['constructor/1', 'npm', 'npx --no'],
    ['', 'npm', 'npx --no'],
    [undefined, 'npm', 'npx --no'],
  ])('%s', (agent, name, exec) => {
    expect(detectPackageManager({ npm_config_user_agent: agent })).toMatchObject({ name, exec });
  });
});

describe('lineDiff', () => {
  it('shows changes with the lines around them', () => {
    const before = 'a\nb\nc\nd\ne\nf\ng\nh\n';
    expect(lineDiff(before, 'a\nb\nc\nD\ne\nf\ng\nh\ni\n')).toBe(
      ['…', ' b', ' c', '-d', '+D', ' e', ' f', ' g', ' h', '+i'].join('\n'),
    );
    expect(lineDiff(before, 'a\nb\nx\nc\nd\ne\nf\ng\nh\n')).toBe(
      ['a', 'b'].map((l) => ` ${l}`).join('\n') + '\n+x\n c\n d\n…',
    );
    expect(lineDiff(before, before)).toBe('…');
    expect(lineDiff('', 'a\n')).toBe('+a');
    expect(lineDiff('a\n', '')).toBe('-a');
  });
});
