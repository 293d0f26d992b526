-- A personal link is spent once its submission counts, not while that waits until its sender confirms an address or pays.
update recipients r set answered_at = null
from personal_links l
where l.form_id = r.form_id and not l.anonymous and r.answered_at is not null and exists (
  select from set_aside_submissions w
  where w.form_id = r.form_id and w.public_id = r.submission_public_id
    and w.reasons && array['unconfirmed_email', 'unpaid']);
