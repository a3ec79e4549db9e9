// Draws a dashboard of `op-sdk create monitoring` with recorded data, for the guide: a sketch with the places, titles, legends and units of
// the panels, in the style of Grafana. Needs Chromium (`CHROMIUM`, by default Debian's).
//   OP_SDK_DASHBOARD_DATA=FILE npm run test:cluster      records the data, and the dashboard beside it, as FILE.dashboard.json
//   node scripts/draw-dashboard.mjs DASHBOARD DATA PICTURE [--dark] [--height PIXELS]
import { readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

const [dashboardFile, dataFile, picture] = process.argv.slice(2);
if (picture === undefined)
  throw new Error(
    'usage: node scripts/draw-dashboard.mjs DASHBOARD.json DATA.json PICTURE.png [--dark] [--height PIXELS]',
  );
const dashboard = JSON.parse(readFileSync(dashboardFile, 'utf8'));
/** Result of each query, as `/api/v1/query_range` of Prometheus gives it, by `panel id/target`. */
const data = JSON.parse(readFileSync(dataFile, 'utf8'));
const isDark = process.argv.includes('--dark');
const limit = process.argv.includes('--height')
  ? Number(process.argv[process.argv.indexOf('--height') + 1])
  : undefined;

const colors = ['#73bf69', '#f2cc0c', '#5794f2', '#ff9830', '#f2495c', '#b877d9', '#8ab8ff', '#c0d8ff'];
const column = 1280 / 24;
const unitHeight = 30;
const bottom = Math.max(...dashboard.panels.map(({ gridPos }) => gridPos.y + gridPos.h));

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
const height = bottom * unitHeight + 44;
const page = await browser.newPage({ viewport: { width: 1280, height } });
await page.setContent(`<!doctype html><style>
  body { margin: 0; font: 12px Inter, 'DejaVu Sans', sans-serif; background: ${isDark ? '#111217' : '#f4f5f5'};
    color: ${isDark ? '#ccccdc' : '#24292e'}; }
  h1 { font-size: 16px; font-weight: 500; margin: 12px 16px; }
  .panel, .row { position: absolute; box-sizing: border-box; overflow: hidden; }
  .panel { background: ${isDark ? '#181b1f' : '#fff'}; border: 1px solid ${isDark ? '#2c3035' : '#dcdfe4'}; border-radius: 2px;
    padding: 6px 8px; }
  .row { font-size: 14px; font-weight: 500; padding: 6px 8px; }
  .title { font-weight: 500; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
  .stat { display: flex; align-items: center; justify-content: center; height: calc(100% - 18px); font-size: 26px; color: #3a9e4f; }
  .legend { position: absolute; bottom: 4px; left: 8px; right: 8px; font-size: 10px; white-space: nowrap; overflow: hidden;
    text-overflow: ellipsis; }
  .legend i { display: inline-block; width: 10px; height: 3px; margin: 0 4px 3px 8px; }
  text { fill: ${isDark ? '#8e8ea0' : '#6e7781'}; font-size: 10px; } line { stroke: ${isDark ? '#25282d' : '#e8eaed'}; }
</style><h1>${escape(dashboard.title)}</h1>${dashboard.panels.map(draw).join('')}`);
await page.screenshot({ path: picture, clip: { x: 0, y: 0, width: 1280, height: limit ?? height } });
await browser.close();

function draw(panel) {
  const { x, y, w, h } = panel.gridPos;
  const box = {
    left: x * column + 4,
    top: y * unitHeight + 44,
    width: w * column - 8,
    height: h * unitHeight - 6,
  };
  const style = Object.entries(box)
    .map(([name, value]) => `${name}:${value}px`)
    .join(';');
  if (panel.type === 'row') return `<div class="row" style="${style}">⌄ ${escape(panel.title)}</div>`;
  const series = panel.targets.flatMap((target, index) =>
    (data[`${panel.id}/${index}`] ?? []).map(({ metric, values }) => ({
      name: target.legendFormat.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (_, label) => metric[label] ?? ''),
      points: values
        .map(([time, value]) => [time, Number(value)])
        .filter(([, value]) => Number.isFinite(value)),
    })),
  );
  const content = panel.type === 'stat' ? stat(panel, series) : chart(panel, series, box);
  return `<div class="panel" style="${style}"><div class="title">${escape(panel.title)}</div>${content}</div>`;
}

function stat({ fieldConfig, options }, series) {
  const last = series[0]?.points.at(-1)?.[1];
  const text =
    options.textMode === 'name' ? (series[0]?.name ?? '') : format(last, fieldConfig.defaults.unit);
  return `<div class="stat" ${text.length > 14 ? 'style="font-size:14px"' : ''}>${escape(text)}</div>`;
}

function chart({ fieldConfig }, series, { width, height }) {
  const all = series.flatMap(({ points }) => points);
  if (all.length === 0) return '<div class="stat" style="font-size:14px">No data</div>';
  const [from, to] = [Math.min(...all.map(([time]) => time)), Math.max(...all.map(([time]) => time))];
  const top = Math.max(...all.map(([, value]) => value)) * 1.1 || 1;
  const area = { left: 64, right: width - 44, top: 8, bottom: height - 62 };
  const px = (time) => area.left + ((time - from) / (to - from || 1)) * (area.right - area.left);
  const py = (value) => area.bottom - (value / top) * (area.bottom - area.top);
  const grid = [0, 0.5, 1].map((part) => {
    const at = py(part * top);
    const label = `<text x="${area.left - 6}" y="${at + 3}" text-anchor="end">${escape(format(part * top, fieldConfig.defaults.unit))}</text>`;
    return `<line x1="${area.left}" x2="${area.right}" y1="${at}" y2="${at}"/>${label}`;
  });
  const times = [0, 0.5, 1].map((part) => {
    const time = new Date((from + part * (to - from)) * 1000).toISOString().slice(11, 19);
    return `<text x="${px(from + part * (to - from))}" y="${area.bottom + 14}" text-anchor="middle">${time}</text>`;
  });
  const paths = series.map(({ points }, index) => {
    const path = points
      .map(([time, value], at) => `${at === 0 ? 'M' : 'L'}${px(time)} ${py(value)}`)
      .join('');
    return `<path d="${path}" fill="none" stroke="${colors[index % colors.length]}" stroke-width="1.5"/>`;
  });
  const legend = series
    .map(({ name }, index) => `<i style="background:${colors[index % colors.length]}"></i>${escape(name)}`)
    .join('');
  return `<svg width="${width - 18}" height="${height - 44}">${[...grid, ...times, ...paths].join('')}</svg><div class="legend">${legend}</div>`;
}

function format(value, unit) {
  if (value === undefined) return 'No data';
  const rounded = (number) => `${Number(number.toPrecision(3))}`;
  if (unit === 'percentunit') return `${rounded(value * 100)} %`;
  if (unit === 'bytes') {
    const power = Math.min(4, Math.max(0, Math.floor(Math.log2(Math.max(value, 1)) / 10)));
    return `${rounded(value / 1024 ** power)} ${['B', 'KiB', 'MiB', 'GiB', 'TiB'][power]}`;
  }
  if (unit === 's') return secondsText(value, rounded);
  if (unit === 'dateTimeFromNow' || unit === 'dateTimeAsIso')
    return new Date(value).toISOString().slice(0, 10);
  return `${rounded(value)}${{ ops: ' ops/s', reqps: ' req/s' }[unit] ?? ''}`;
}

function secondsText(value, rounded) {
  if (value >= 86_400 * 3) return `${rounded(value / 86_400)} days`;
  if (value >= 120) return `${rounded(value / 60)} min`;
  if (value >= 1 || value === 0) return `${rounded(value)} s`;
  return value >= 1e-3 ? `${rounded(value * 1e3)} ms` : `${rounded(value * 1e6)} µs`;
}

function escape(text) {
  return String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
