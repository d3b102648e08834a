-- A link with which somebody chooses a password: of an invitation to one membership, or of a person who has forgotten theirs.
alter table invitation
  add column person_id uuid references person (id),
  alter column membership_id drop not null;
update invitation v set person_id = m.person_id from membership m
where m.instance_id = v.instance_id and m.id = v.membership_id;
alter table invitation alter column person_id set not null;
create index invitation_person on invitation (person_id);
