-- What only a superuser may do, once: two roles and pgvector. The passwords are those of docker-compose.yml;
-- in earnest, set your own.
CREATE ROLE holdfast_owner LOGIN PASSWORD 'change-me-owner';
CREATE ROLE holdfast_app LOGIN PASSWORD 'change-me-app';
CREATE DATABASE holdfast OWNER holdfast_owner;
\connect holdfast
CREATE EXTENSION vector;
