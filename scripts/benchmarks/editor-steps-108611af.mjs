import { field } from './editor-world.mjs';

/** The steps of editor-tasks.mjs that differ in the editor of 108611af, or why there are none. */
export default {
  'Find an entry by a word, and open it': async (page) => {
    await page.click('#navigation a', 'Articles');
    await page.fill('input[type=search]', 'Note 33');
    await page.rows(1);
    await page.click('tbody a', 'Note 33');
    await page.shown('Note 33');
  },
  'Correct the title of a published entry as a draft, and publish the change': 'what is saved is public',
  'Paste a text of Google Docs with a table': 'bold and the table are lost',
  'Publish 10 drafts at once': async (page, { number }) => {
    await page.fill('input[type=search]', `Batch ${number}`);
    await page.rows(10);
    await page.click('thead input');
    await page.click('.selection button', 'Publish');
    await page.notice('10 entries published.');
  },
  'Upload 5 images, and give each an alternative text': async (page, { number }) => {
    const names = [1, 2, 3, 4, 5].map((index) => `upload-${number}-${index}.png`);
    await page.dropFile('.drop', ...names);
    for (const name of names) {
      await page.click('.grid button', name);
      await page.fill('.dialog [name=alternativeText]', 'A field of rye');
      await page.press('s');
      await page.waitFor(`document.querySelector('.dialog [role=status]')?.textContent === 'Saved.'`);
      await page.click('.dialog [aria-label=Close]');
      await page.waitFor(`document.querySelector('.dialog') === null`);
    }
  },
  'Restore a deleted entry': 'it is gone',
  'Give a value to 20 entries': async (page, { number }) => {
    await page.fill('input[type=search]', `Series ${number}`);
    await page.rows(20);
    for (let index = 0; index < 20; index += 1) {
      await page.click('tbody a', `Series ${number} no. ${String(index).padStart(2, '0')}`);
      await page.fill(field('readingMinutes'), '7');
      await page.press('s');
      await page.notice('Saved');
      await page.click('main a', '←');
      await page.rows(20);
    }
  },
};
