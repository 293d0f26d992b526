-- Whose domain a visitor has opened.
create index forms_custom_domain_idx on forms ((presentation->>'custom_domain'))
  where presentation->>'custom_domain' is not null;
