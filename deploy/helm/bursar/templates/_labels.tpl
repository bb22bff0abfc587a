{{- define "bursar.selector" -}}
app.kubernetes.io/name: bursar
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "bursar.labels" -}}
{{ include "bursar.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}
{{- define "bursar.image" -}}
{{- with .Values.image.digest -}}
{{- if not (regexMatch "^sha256:[0-9a-f]{64}$" .) }}{{ fail "image.digest is sha256: and 64 hexadecimal digits." }}{{ end -}}
{{ $.Values.image.repository }}@{{ . }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end }}
{{- /* A number from a file of values is a float, which would be written as 1e+07. */ -}}
{{- define "bursar.text" -}}
{{- if kindIs "float64" . -}}
{{ regexReplaceAll "\\.?0+$" (printf "%.6f" .) "" | quote }}
{{- else -}}
{{ . | quote }}
{{- end -}}
{{- end }}
