import { openCamera } from './screenshots/camera.ts';
import { takeDashboard } from './screenshots/dashboard.ts';
import { takeGuestPages } from './screenshots/guest-pages.ts';
import { openInstallation } from './screenshots/installation.ts';
import { openMuseum } from './screenshots/museum.ts';

// Makes the pictures of the documentation, as Chromium shows the pages of an installation of its own: the dashboard in
// docs/screenshots, forms in docs/images. Words behind `npm run screenshots --` take only pictures with one in its name.

const installation = await openInstallation();
try {
  const museum = await openMuseum(installation);
  const camera = await openCamera(museum.service, process.argv.slice(2));
  try {
    await takeDashboard(camera, museum);
    await takeGuestPages(camera, museum.owner);
  } finally {
    await camera.close();
    museum.close();
  }
} finally {
  await installation.remove();
}
