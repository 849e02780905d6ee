{{- define "holdfast.name" -}}
{{- if contains "holdfast" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-holdfast" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "holdfast.selector" -}}
app.kubernetes.io/name: holdfast
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "holdfast.labels" -}}
{{ include "holdfast.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "holdfast.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "holdfast.account" -}}
{{- if .Values.serviceAccount.create }}{{ .Values.serviceAccount.name | default (include "holdfast.name" .) }}{{ else }}{{ .Values.serviceAccount.name | default "default" }}{{ end }}
{{- end }}

{{- define "holdfast.claim" -}}
{{ .Values.backup.existingClaim | default (printf "%s-backups" (include "holdfast.name" .)) }}
{{- end }}

{{/* The security of every pod: no root, no privileges, a file system that is only read but for /tmp. */}}
{{- define "holdfast.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "holdfast.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: ["ALL"]}
{{- end }}

{{/* The environment with a store: its address and password, from a secret. */}}
{{- define "holdfast.env" -}}
- name: HOME
  value: /tmp
- name: {{ .variable }}
  valueFrom:
    secretKeyRef: {name: {{ .from.secret | quote }}, key: {{ .from.urlKey | quote }}}
{{- if .from.passwordKey }}
- name: PGPASSWORD
  valueFrom:
    secretKeyRef: {name: {{ .from.secret | quote }}, key: {{ .from.passwordKey | quote }}}
{{- end }}
{{- end }}

{{- define "holdfast.placement" -}}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
