import { openCamera } from './screenshots/camera.ts';
import { takeDashboard } from './screenshots/dashboard.ts';
import { takeGuestPages } from './screenshots/guest-pages.ts';
import { openInstallation } from './screenshots/installation.ts';
import { openMuseum } from './screenshots/museum.ts';

// Makes the pictures of the documentation with Chromium and a separate installation: the dashboard in docs/screenshots, forms in
// docs/images. With words after `npm run screenshots --` it takes only pictures with one of them in its name.

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
