;;; Debugs a kernel in Emacs with dap-mode (docs/debugging.md). `make emacs-check` runs it.  -*- lexical-binding: t -*-

(defvar dap-breakpoints-file (make-temp-name (expand-file-name "breakpoints" temporary-file-directory)))
(package-initialize)
(require 'dap-mode)
(require 'dap-ui)

(defun check (truth text &rest arguments)
  "Ends with an error that says TEXT with its ARGUMENTS unless TRUTH."
  (unless truth
    (error "%s" (apply #'format text arguments))))

(defun check-await (what happens)
  "Waits until HAPPENS returns something, for a minute at most, and returns it. WHAT it is goes into the error."
  (let ((end (+ 60 (float-time))) (found nil))
    (while (not (setq found (funcall happens)))
      (check (< (float-time) end) "waiting for %s" what)
      (accept-process-output nil 0.05))
    found))

(defun check-frame ()
  "The frame that Emacs shows, or nil while the kernel runs."
  (when-let ((session (dap--cur-session)))
    (dap--debug-session-active-frame session)))

(defun check-stop (what begin)
  "Calls BEGIN, and waits for the stop that WHAT is. Returns the line that Emacs shows then."
  (funcall begin)
  (gethash "line" (check-await what #'check-frame)))

(defun check-request (command &rest arguments)
  "What the adapter answers to a request."
  (let ((answer nil))
    (dap--send-message (dap--make-request command arguments)
                       (lambda (message) (setq answer message))
                       (dap--cur-session))
    (check-await command (lambda () answer))
    (check (gethash "success" answer) "%s: %s" command (gethash "message" answer))
    (gethash "body" answer)))

(defun check-line (text)
  "The number of the first line of the kernel with TEXT."
  (goto-char (point-min))
  (search-forward text)
  (line-number-at-pos))

(defun check-run ()
  (with-temp-buffer
    (insert-file-contents "docs/debugging.md")
    (search-forward "```elisp\n")
    (let ((begin (point)))
      (search-forward "```")
      (eval-region begin (match-beginning 0))))
  (let ((settings (copy-tree (cdr (assoc "flexgrip: this folder's kernel" dap-debug-template-configurations))))
        (source (find-file-noselect "kernels/sort/kernel.sass"))
        first later)
    (check settings "docs/debugging.md registers no template")
    (with-current-buffer source
      (dap-mode 1)
      (setq first (check-stop "the stop at the entry" (lambda () (dap-debug settings))))
      (setq later (check-line "    GLD.U32 R6"))
      (dap-breakpoint-add)
      (check-await "the breakpoint's confirmation"
                   (lambda () (gethash (buffer-file-name)
                                       (dap--debug-session-breakpoints (dap--cur-session))))))
    (message "stopped at line %d; a breakpoint at line %d" first later)
    (let ((next (check-stop "a step" (lambda () (dap-next (dap--cur-session))))))
      (check (> next first) "a step from line %d leads to %d" first next))
    (let ((line (check-stop "the breakpoint" (lambda () (call-interactively #'dap-continue)))))
      (check (= line later) "the breakpoint is at line %d; stopped at %d" later line))
    ;; dap-mode has no command for steps back, but what its steps call takes the request.
    (let ((line (check-stop "a step back" (lambda () (dap--step "stepBack" (dap--cur-session))))))
      (check (< line later) "a step back from line %d leads to %d" later line))
    (let* ((scopes (gethash "scopes" (check-request "scopes" :frameId (gethash "id" (check-frame)))))
           (names (mapcar (lambda (scope) (gethash "name" scope)) scopes)))
      (message "scopes: %s" (mapconcat #'identity names ", "))
      (check (> (length names) 0) "there are no scopes"))
    (with-current-buffer source
      (dap-breakpoint-delete-all))
    (dap-disconnect (dap--cur-session))
    (check-await "the session's end" (lambda () (not (dap--session-running (dap--cur-session)))))
    (message "Emacs %s debugs kernels/sort" emacs-version)))

(check-run)
