// Writes the lists of this folder from the locale data of @faker-js/faker (MIT).
//
//	npm pack @faker-js/faker@10.6.0 && tar xzf faker-js-faker-10.6.0.tgz
//	node typed/lists/generate.mjs package
//
// Each list has distinct items in the order of their SHA-256, at most as many as the table
// below says. So the items beside an item share nothing with it: no initial, gender or origin.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const from = resolve(process.argv[2]);
const into = dirname(fileURLToPath(import.meta.url));
const { version, license } = JSON.parse(readFileSync(join(from, 'package.json')));
if (license !== 'MIT') throw new Error(`the licence of the package is ${license}`);
const { allLocales } = await import(pathToFileURL(join(from, 'dist/index.js')));

// How many items a list has at most.
const most = { given: 1000, family: 500, place: 500, street: 400, country: 300, area: 100, work: 100 };

// One word or a few, of letters, as a name is written in a text.
const plain = /^\p{Lu}[\p{L}'’-]+( [\p{L}'’-]+){0,3}$/u;
const one = /^\p{Lu}[\p{L}'’-]+$/u;

const all = (of) => (Array.isArray(of) ? of : Object.values(of ?? {}).flat());
const rank = (item) => createHash('sha256').update(item).digest('hex');

function write(locale, list, items, form) {
	const chosen = [...new Set(items.map((item) => item.normalize('NFC')))].filter((item) => form.test(item) && item.length <= 24);
	const sorted = chosen.map((item) => [rank(item), item]).sort().map(([, item]) => item).slice(0, most[list]);
	if (sorted.length === 0) return;
	const head = `# ${list}, ${locale}: from @faker-js/faker ${version} (MIT, see LICENSE.faker), by generate.mjs\n`;
	writeFileSync(join(into, `${locale}-${list}.txt`), head + sorted.join('\n') + '\n');
}

for (const locale of ['en', 'de', 'fr', 'es', 'it']) {
	const { person, location } = allLocales[locale];
	write(locale, 'given', all(person.first_name), one);
	write(locale, 'family', all(person.last_name), one);
	write(locale, 'place', all(location.city_name), plain);
	write(locale, 'street', all(location.street_name), plain);
}
const { person, location } = allLocales.en;
write('en', 'country', all(location.country), plain);
write('en', 'area', all(person.job_area), one);
write('en', 'work', all(person.job_type), one);
writeFileSync(join(into, 'LICENSE.faker'), readFileSync(join(from, 'LICENSE')));
